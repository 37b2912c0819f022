#include "framework/positional/fire.hpp"

#include <algorithm>
#include <cmath>

#include "framework/core/autograd.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/reduce.hpp"

namespace ropewalk::positional {
namespace {

constexpr double least = 0.01;  // of c and the threshold: ψ must rise, and its value at the threshold be more than 0

/// The learned tensors, in the order in which the term has them as inputs.
enum Input : std::size_t { c_input, threshold_input, up_weight, up_bias, down_weight, down_bias };

/// ψ(x) = ln(c x + 1) of any numbers x.
Tensor psi(const Tensor& c, const Tensor& x) {
  return log(add(multiply(clamp(c, least, INFINITY), x), Tensor::scalar(1, x.type())));
}

/// The larger of two, made of what has a gradient.
Tensor larger(const Tensor& a, const Tensor& b) { return add(a, relu(subtract(b, a))); }
/// The smaller of two; the gradient of equals is the first's.
Tensor smaller(const Tensor& a, const Tensor& b) { return subtract(a, relu(subtract(a, b))); }

/// 1/ψ(max(position, threshold)) of each position, in the shape [S, T].
Tensor reciprocals(const Tensors& inputs, const Positions& positions, Type type) {
  std::vector<double> above = positions.values();
  for (double& position : above) position = std::max(position, 0.0);
  const Tensor at = Tensor::of(above, {positions.sequences(), positions.length()}, type);
  const Tensor normaliser = psi(inputs[c_input], larger(clamp(inputs[threshold_input], least, INFINITY), at));
  return divide(Tensor::scalar(1, type), normaliser);
}

/// ψ of the whole distances from 0 to the largest there is.
Tensor psi_table(const Tensors& inputs, const Places& places, Type type) {
  const auto [least, most] = places.span();
  const auto count = static_cast<Index>(std::max(most, -least)) + 1;
  return psi(inputs[c_input], Tensor::of(contiguous(count).values(), {count}, type));
}

/// ψ by distance and its reciprocals by position, made of c and the threshold by recorded operations, through which the gradients
/// that are collected for the tables flow on. In double: what flows through ψ and through its reciprocals nearly cancels.
class Tables {
 public:
  Tables(const Tensors& inputs, const Places& places) {
    const Recording scope;
    for (Input input : {c_input, threshold_input}) leaves_.push_back(parameter(convert(inputs[input], Type::f64)));
    tables_ = {psi_table(leaves_, places, Type::f64), reciprocals(leaves_, places.queries, Type::f64),
               reciprocals(leaves_, places.keys, Type::f64)};
    for (const Tensor& table : tables_) collected_.push_back(Tensor::zeros(table.shape(), Type::f64));
  }

  Tensors in(Type type) const {
    Tensors converted;
    for (const Tensor& table : tables_) converted.push_back(convert(table, type));
    return converted;
  }
  /// Where gradients of the tables are added.
  const Tensors& collected() const { return collected_; }

  /// Gradients of c and the threshold.
  Tensors gradients(Type type) const {
    const Recording scope;
    Tensor through = Tensor::scalar(0, Type::f64);
    for (std::size_t i = 0; i < tables_.size(); ++i) through = add(through, sum(multiply(tables_[i], collected_[i])));
    Tensors result = ropewalk::gradients(through, leaves_);
    for (Tensor& gradient : result) gradient = convert(gradient, type);
    return result;
  }

 private:
  Tensors leaves_, tables_, collected_;
};

/// The row of a table [S, T] for a sequence.
template <class T>
T* row(const Tensor& x, Index batch) {
  return x.data<T>() + (x.dim(0) > 1 ? batch : 0) * x.dim(1);
}

template <class T>
class Hook final : public kernels::ScoreBias<T> {
 public:
  Hook(const Tensors& inputs, const Places& places, bool collects)
      : query_positions_(places.queries.rounded()),
        key_positions_(places.keys.rounded()),
        tables_(inputs, places),
        in_type_(tables_.in(type)) {
    for (const Tensor& input : inputs) inputs_.push_back(packed(input));
    if (!collects) return;
    for (const Tensor& input : inputs) dinputs_.push_back(Tensor::zeros(input.shape(), type));
  }

  void add(Index batch, Index head, kernels::Range queries, kernels::Range keys, T* scores, Index stride) const override {
    kernels::table<T>().add_fire_bias(problem(batch, head), queries, keys, scores, stride);
  }

  void collect(Index batch, Index head, kernels::Range queries, kernels::Range keys, const T* dscores, Index stride) override {
    const Tensors& tables = tables_.collected();
    const kernels::FireGradient<T> gradient{.w1 = dinputs_[up_weight].data<T>(),
                                            .b1 = dinputs_[up_bias].data<T>(),
                                            .w2 = dinputs_[down_weight].data<T>() + head * width(),
                                            .b2 = dinputs_[down_bias].data<T>() + head,
                                            .psi = tables[0].data<double>(),
                                            .reciprocal_queries = row<double>(tables[1], batch),
                                            .reciprocal_keys = row<double>(tables[2], batch)};
    kernels::table<T>().collect_fire_bias(problem(batch, head), gradient, queries, keys, dscores, stride);
  }

  Tensors gradients() const {
    Tensors result = tables_.gradients(type);
    result.insert(result.end(), dinputs_.begin() + up_weight, dinputs_.end());
    return result;
  }

 private:
  static constexpr Type type = TypeOf<T>::value;

  Index width() const { return inputs_[up_bias].size(); }

  kernels::Fire<T> problem(Index batch, Index head) const {
    kernels::Fire<T> fire;
    fire.width = width();
    fire.w1 = inputs_[up_weight].data<T>();
    fire.b1 = inputs_[up_bias].data<T>();
    fire.w2 = inputs_[down_weight].data<T>() + head * width();
    fire.b2 = inputs_[down_bias].data<T>()[head];
    fire.positions = {row<std::int32_t>(query_positions_, batch), row<std::int32_t>(key_positions_, batch)};
    fire.psi = in_type_[0].data<T>();
    fire.reciprocal_queries = row<T>(in_type_[1], batch);
    fire.reciprocal_keys = row<T>(in_type_[2], batch);
    return fire;
  }

  Tensor query_positions_, key_positions_;
  Tables tables_;
  Tensors in_type_, inputs_, dinputs_;
};

class FireTerm final : public ScoreTerm {
 public:
  FireTerm(const Tensors& parameters, const Places& places) : parameters_(parameters), places_(places) {}

  Tensors inputs() const override { return parameters_; }
  bool has_fused() const override { return places_.whole(); }

  Tensor dense(const DenseBlock& block, const Tensors& inputs) const override {
    const Index sequences = places_.queries.sequences(), queries = block.queries.size(), keys = block.keys();
    const Type type = block.query.type();
    std::vector<double> distances;
    for (Index s = 0; s < sequences; ++s) {
      for (Index i = block.queries.begin; i < block.queries.end; ++i) {
        for (Index j = 0; j < keys; ++j) distances.push_back(std::abs(places_.queries.at(s, i) - places_.keys.at(s, j)));
      }
    }
    const Tensor at_query = slice(reciprocals(inputs, places_.queries, type), 1, block.queries.begin, block.queries.end);
    const Tensor at_key = slice(reciprocals(inputs, places_.keys, type), 1, 0, keys);
    const Tensor normaliser = smaller(reshape(at_query, {sequences, queries, 1}), reshape(at_key, {sequences, 1, keys}));
    const Tensor x = multiply(psi(inputs[c_input], Tensor::of(distances, {sequences, queries, keys}, type)), normaliser);
    const Tensor hidden = relu(linear(reshape(x, {-1, 1}), inputs[up_weight], inputs[up_bias]));
    const Tensor bias = linear(hidden, inputs[down_weight], inputs[down_bias]);  // [S q k, H]
    return permute(reshape(bias, {sequences, queries, keys, bias.dim(1)}), {0, 3, 1, 2});
  }

  FusedBias fused(Index heads, Index queries, Index keys, Type type, bool collects) const override {
    check(parameters_[down_bias].size() == heads && places_.queries.length() == queries && places_.keys.length() == keys,
          "attention: a bias of {} heads, {} query and {} key positions does not cover {} heads, {} queries and {} keys",
          parameters_[down_bias].size(), places_.queries.length(), places_.keys.length(), heads, queries, keys);
    return fuse<Hook>(type, parameters_, places_, collects);
  }

 private:
  Tensors parameters_;
  Places places_;
};

}  // namespace

void Fire::describe(Fields& fields) {
  fields.add("width", width_, "hidden width of the MLP").at_least(1).limit_to(4096);
  LayeredScheme::describe(fields);
}

/// c starts at 0.1 as in the authors' code, the threshold at a quarter of the trained length (between two positions, where it has
/// a derivative), the MLP as a layer of PyTorch does.
void Fire::prepare(const Context& context, const Random& random, Type type) {
  const auto uniform = [&](const char* symbol, const Shape& shape, double bound) {
    Stream stream = random.stream(std::string("initialize position.") + symbol);
    std::vector<double> values(static_cast<std::size_t>(size_of(shape)));
    for (double& value : values) value = bound * (2 * stream.uniform() - 1);
    return Tensor::of(values, shape, type);
  };
  const double bound = 1 / std::sqrt(static_cast<double>(width_));
  c_ = Tensor::full({1}, 0.1, type);
  threshold_ = Tensor::full({1}, std::floor(static_cast<double>(context.length) / 4) + 0.5, type);
  up_weight_ = uniform("mlp.0.weight", {width_, 1}, 1);
  up_bias_ = uniform("mlp.0.bias", {width_}, 1);
  down_weight_ = uniform("mlp.2.weight", {context.heads, width_}, bound);
  down_bias_ = uniform("mlp.2.bias", {context.heads}, bound);
}

Parameters Fire::parameters() {
  return {{"c", &c_, false},
          {"threshold", &threshold_, false},
          {"mlp.0.weight", &up_weight_, false},
          {"mlp.0.bias", &up_bias_, false},
          {"mlp.2.weight", &down_weight_, false},
          {"mlp.2.bias", &down_bias_, false}};
}

Effect Fire::effect(const Places& places, Type) const {
  const Tensors parameters{c_, threshold_, up_weight_, up_bias_, down_weight_, down_bias_};
  const auto term = std::make_shared<FireTerm>(parameters, places);
  return [term](AttentionTerms& terms, const Tensor&) { terms.biases.push_back(term); };
}

}  // namespace ropewalk::positional
