#include "framework/nn/transformer.hpp"

#include <algorithm>

#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/reduce.hpp"
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

using FullAttention = Tensor (*)(const Tensor&, Index, const AttentionTerms&);

/// The settings' scheme, if it can serve the model.
const positional::Scheme& serving(const TransformerSettings& settings, const positional::Context& context) {
  check(settings.width % settings.heads == 0, "model: width {} does not divide into {} heads", settings.width, settings.heads);
  for (const positional::Complaint& complaint : positional::complaints_about(*settings.position, context, {context.length})) {
    throw Error(fmt::format("model.position{}{}: {}", complaint.setting.empty() ? "" : ".", complaint.setting, complaint.reason));
  }
  return *settings.position;
}

}  // namespace

Transformer::Transformer(const TransformerSettings& settings, const Vocabulary& vocabulary, Index trained_length,
                         const Random& random, Type type)
    : heads_(settings.heads),
      tied_(settings.tie_embeddings),
      dropout_(settings.dropout),
      type_(type),
      sampler_(settings.positions),
      positioning_(serving(settings, settings.context(trained_length, vocabulary.marks)),
                   settings.context(trained_length, vocabulary.marks), settings.layers, random, type),
      norm_(settings.norm == "rms", settings.width, type) {
  const auto weights = [&](const char* name) {
    return normal({vocabulary.size, settings.width}, deviation, random.stream(std::string("initialize ") + name), type);
  };
  embedding_ = weights("embed");
  for (Index layer = 0; layer < settings.layers; ++layer) blocks_.emplace_back(settings, block_name(layer), random, type);
  if (!tied_) head_ = weights("head");
  collect();
  flatten();
}

void Transformer::collect() {
  parameters_.push_back({"embed.weight", &embedding_, true});
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    blocks_[layer].collect(block_name(static_cast<Index>(layer)), parameters_);
  }
  norm_.collect("norm", parameters_);
  if (!tied_) parameters_.push_back({"head.weight", &head_, true});
  for (const Parameter& own : positioning_.parameters()) parameters_.push_back(own);
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
  return (*this)(tokens, sampler_->positions(tokens.dim(1), tokens.dim(0), pass.draws), pass);
}

Tensor Transformer::operator()(const Tensor& tokens, const positional::Positions& positions, const Pass& pass) const {
  check(tokens.rank() == 2 && tokens.dim(1) == positions.length() &&
            (positions.sequences() == 1 || positions.sequences() == tokens.dim(0)),
        "model: expected tokens [B, {}], one for each position, got {}", positions.length(), tokens.shape());
  const Dropout drop = dropout_ > 0 && pass.dropout ? Dropout(Dropping(dropout_, *pass.dropout)) : Dropout();
  const Positioning::Pass positioning = positioning_.pass(positions);
  return through_blocks(embedded(tokens, positions, pass.draws), drop, [&](Index layer, const Tensor& x, const Tensor& qkv) {
    return (pass.reference ? attention_reference : static_cast<FullAttention>(attention))(qkv, heads_,
                                                                                          positioning.terms(layer, x));
  });
}

Tensor Transformer::next(const Tensor& tokens, Cache& cache) const {
  const NoGradient scope;
  check(tokens.rank() == 2, "model: expected tokens [B, n], got {}", tokens.shape());
  cache.append_tokens(tokens);
  const Index all = cache.length(), count = positioning_.traits().depends_on_length ? all : tokens.dim(1), first = all - count;
  if (first == 0) cache.forget_layers();
  const positional::Positions positions = sampler_->positions(all, 1, nullptr);
  const Tensor x = packed(slice(embedded(cache.tokens(), positions, nullptr), 1, first, all));
  const Positioning::Pass positioning = positioning_.pass({positions.part(first, all), positions});
  const Tensor logits = through_blocks(x, {}, [&](Index layer, const Tensor& input, const Tensor& qkv) {
    const Cache::Layer& past = cache.append(layer, input, qkv);
    const Tensor query = slice(qkv, 2, 0, qkv.dim(2) / 3);
    return attention(query, past.key, past.value, heads_, positioning.terms(layer, past.input));
  });
  return slice(logits, 1, count - tokens.dim(1), count);
}

FirstLayer Transformer::first_layer(const Tensor& tokens) const {
  const NoGradient scope;
  const positional::Positions positions = sampler_->positions(tokens.dim(1), tokens.dim(0), nullptr);
  const positional::Sequences sequences{tokens, positions, nullptr};
  FirstLayer found;
  found.token_embedding = embedding(embedding_, tokens);
  found.sum = positioning_.embed(found.token_embedding, sequences);
  const Tensor nothing = Tensor::zeros(found.sum.shape(), type_), added = positioning_.embed(nothing, sequences);
  if (!added.shares(nothing)) found.added = added;
  const Projected projected = blocks_.front().project(found.sum);
  found.attention = attention_map(projected.qkv, heads_, positioning_.pass(positions).terms(0, projected.input));
  return found;
}

AttentionSpread Transformer::mean_spread(const Tensor& tokens, const positional::Draws* draws) const {
  const NoGradient scope;
  check(tokens.rank() == 2 && tokens.dim(1) > 0, "model: expected tokens [B, T], got {}", tokens.shape());
  const positional::Positions positions = sampler_->positions(tokens.dim(1), tokens.dim(0), draws);
  const Positioning::Pass positioning = positioning_.pass(positions);
  Tensors entropy, distance;
  const auto mean_of = [](const Tensor& by_query) {
    return reshape(mean(by_query, {-1}), {1, by_query.dim(0), by_query.dim(1)});
  };
  through_blocks(embedded(tokens, positions, draws), {}, [&](Index layer, const Tensor& x, const Tensor& qkv) {
    const AttentionWithSpread found = attention_with_spread(qkv, heads_, positioning.terms(layer, x));
    entropy.push_back(mean_of(found.spread.entropy));
    distance.push_back(mean_of(found.spread.distance));
    return found.output;
  });
  return {concatenate(entropy, 0), concatenate(distance, 0)};
}

Tensor Transformer::embedded(const Tensor& tokens, const positional::Positions& positions, const positional::Draws* draws) const {
  return positioning_.embed(embedding(embedding_, tokens), {tokens, positions, draws});
}

Tensor Transformer::through_blocks(Tensor x, const Dropout& drop, const LayerAttention& attend) const {
  if (drop) x = drop(x);
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    x = blocks_[layer](std::move(x), drop,
                       [&](const Tensor& input, const Tensor& qkv) { return attend(static_cast<Index>(layer), input, qkv); });
  }
  return linear(norm_(x), tied_ ? embedding_ : head_);
}

}  // namespace ropewalk::nn
