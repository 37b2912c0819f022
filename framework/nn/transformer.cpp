#include "framework/nn/transformer.hpp"

#include <algorithm>

#include "framework/ops/matmul.hpp"
#include "framework/ops/select.hpp"

namespace ropewalk::nn {
namespace {

constexpr double deviation = 0.02;  // GPT-2 (Radford et al. 2019)

std::string block_name(Index layer) { return "blocks." + std::to_string(layer); }

/// Every place at which elements are dropped draws from a stream of its own.
class Dropping {
 public:
  Dropping(double probability, const Stream& stream) : probability_(probability), stream_(stream) {}

  Tensor operator()(const Tensor& x) { return dropout(x, probability_, stream_.fork(++place_)); }

 private:
  double probability_;
  Stream stream_;
  std::uint32_t place_ = 0;
};

}  // namespace

Transformer::Transformer(const TransformerSettings& settings, Index vocabulary, Index trained_length, const Random& random,
                         Type type)
    : layers_(settings.layers),
      causal_(settings.causal()),
      tied_(settings.tie_embeddings),
      dropout_(settings.dropout),
      type_(type),
      sampler_(settings.positions),
      norm_(settings.norm == "rms", settings.width, type) {
  check(settings.width % settings.heads == 0, "model: width {} does not divide into {} heads", settings.width, settings.heads);
  const positional::Context context = settings.context(trained_length);
  for (const positional::Complaint& complaint : settings.position->complaints(context, {trained_length})) {
    throw Error(fmt::format("model.position{}{}: {}", complaint.setting.empty() ? "" : ".", complaint.setting, complaint.reason));
  }
  embedding_ = normal({vocabulary, settings.width}, deviation, random.stream("initialize embed"), type);
  for (Index layer = 0; layer < layers_; ++layer) blocks_.emplace_back(settings, block_name(layer), random, type);
  if (!tied_) head_ = normal({vocabulary, settings.width}, deviation, random.stream("initialize head"), type);
  const Index copies = settings.position->per_layer() ? layers_ : 1;
  for (Index copy = 0; copy < copies; ++copy) {
    schemes_.push_back(settings.position->clone());
    schemes_.back()->prepare(context, random.fork("position", copy), type);
  }
  collect();
  flatten();
}

void Transformer::collect() {
  parameters_.push_back({"embed.weight", &embedding_, true});
  for (Index layer = 0; layer < layers_; ++layer) {
    blocks_[static_cast<std::size_t>(layer)].collect(block_name(layer), parameters_);
  }
  norm_.collect("norm", parameters_);
  if (!tied_) parameters_.push_back({"head.weight", &head_, true});
  for (std::size_t copy = 0; copy < schemes_.size(); ++copy) {
    const std::string prefix = (schemes_[copy]->per_layer() ? block_name(static_cast<Index>(copy)) + "." : "") + "position.";
    for (Parameter& own : schemes_[copy]->parameters()) parameters_.push_back({prefix + own.name, own.tensor, own.decays});
  }
}

void Transformer::flatten() {
  Index count = 0;
  for (const Parameter& entry : parameters_) count += entry.tensor->size();
  flat_ = Tensor::empty({count}, type_);
  Index begin = 0;
  for (const Parameter& entry : parameters_) {
    const Tensor& value = *entry.tensor;
    dispatch(type_, [&]<class T>(T) { std::copy_n(value.data<T>(), value.size(), flat_.data<T>() + begin); });
    const Index size = value.size();
    *entry.tensor = parameter(flat_.view(value.shape(), contiguous_strides(value.shape()), begin));
    begin += size;
  }
}

Tensors Transformer::leaves() const {
  Tensors leaves;
  for (const Parameter& entry : parameters_) leaves.push_back(*entry.tensor);
  return leaves;
}

Tensor Transformer::operator()(const Tensor& tokens, const Pass& pass) const {
  check(tokens.rank() == 2, "model: expected tokens [B, T], got {}", tokens.shape());
  return (*this)(tokens, sampler_->positions(tokens.dim(1)), pass);
}

Tensor Transformer::operator()(const Tensor& tokens, const positional::Positions& positions, const Pass& pass) const {
  check(tokens.rank() == 2 && tokens.dim(1) == static_cast<Index>(positions.size()),
        "model: expected tokens [B, {}], one for each position, got {}", positions.size(), tokens.shape());
  return forward(embedding(embedding_, tokens), positions, pass);
}

Tensor Transformer::forward(Tensor x, const positional::Positions& positions, const Pass& pass) const {
  const Dropout drop = dropout_ > 0 && pass.dropout ? Dropout(Dropping(dropout_, *pass.dropout)) : Dropout();
  x = schemes_.front()->embed(x, positions);
  if (drop) x = drop(x);
  const std::vector<AttentionTerms> terms = this->terms(positions);
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    x = blocks_[layer](std::move(x), terms[layer], drop, pass.reference ? attention_reference : attention);
  }
  return linear(norm_(x), tied_ ? embedding_ : head_);
}

std::vector<AttentionTerms> Transformer::terms(const positional::Positions& positions) const {
  std::vector<AttentionTerms> result;
  for (Index layer = 0; layer < layers_; ++layer) {
    const positional::Scheme& scheme = *schemes_[schemes_.size() > 1 ? static_cast<std::size_t>(layer) : 0];
    AttentionTerms terms;
    terms.causal = causal_;
    terms.rotation = schemes_.size() == 1 && layer > 0 ? result.front().rotation : scheme.rotation(positions, type_);
    terms.bias = scheme.bias(positions);
    result.push_back(std::move(terms));
  }
  return result;
}

}  // namespace ropewalk::nn
