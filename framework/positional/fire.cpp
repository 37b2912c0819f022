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
  const auto [first_query, last_query] = std::minmax_element(places.queries.values().begin(), places.queries.values().end());
  const auto [first_key, last_key] = std::minmax_element(places.keys.values().begin(), places.keys.values().end());
  const double furthest = std::max(*last_query - *first_key, *last_key - *first_query);
  return psi(inputs[c_input],
             Tensor::of(contiguous(static_cast<Index>(furthest) + 1).values(), {static_cast<Index>(furthest) + 1}, type));
}

/// The kernel's form: tables of ψ by distance and by position, made of c and the threshold by recorded operations, through which
/// the gradients that the kernel collects for the tables flow on.
template <class T>
class Hook final : public kernels::ScoreBias<T> {
 public:
  Hook(const Tensors& inputs, const Places& places, bool collects) : positions_{places.queries.rounded(), places.keys.rounded()} {
    const Recording scope;
    for (const Tensor& input : inputs) leaves_.push_back(parameter(packed(input)));
    psi_ = psi_table(leaves_, places, type);
    queries_ = reciprocals(leaves_, places.queries, type);
    keys_ = reciprocals(leaves_, places.keys, type);
    if (!collects) return;
    for (const Tensor& leaf : leaves_) dleaves_.push_back(Tensor::zeros(leaf.shape(), type));
    dpsi_ = Tensor::zeros(psi_.shape(), type);
    dqueries_ = Tensor::zeros(queries_.shape(), type);
    dkeys_ = Tensor::zeros(keys_.shape(), type);
  }

  void add(Index batch, Index head, kernels::Range queries, kernels::Range keys, T* scores, Index stride) const override {
    kernels::table<T>().add_fire_bias(problem(batch, head), queries, keys, scores, stride);
  }

  void collect(Index batch, Index head, kernels::Range queries, kernels::Range keys, const T* dscores, Index stride) override {
    const kernels::FireGradient<T> gradient{.w1 = data(dleaves_[up_weight]),
                                            .b1 = data(dleaves_[up_bias]),
                                            .w2 = data(dleaves_[down_weight]) + head * width(),
                                            .b2 = data(dleaves_[down_bias]) + head,
                                            .psi = data(dpsi_),
                                            .reciprocal_queries = row(dqueries_, batch),
                                            .reciprocal_keys = row(dkeys_, batch)};
    kernels::table<T>().collect_fire_bias(problem(batch, head), gradient, queries, keys, dscores, stride);
  }

  Tensors gradients() const {
    const Recording scope;
    const auto flow = [](const Tensor& table, const Tensor& gradient) { return sum(multiply(table, gradient)); };
    const Tensor through = ropewalk::add(ropewalk::add(flow(psi_, dpsi_), flow(queries_, dqueries_)), flow(keys_, dkeys_));
    Tensors result = ropewalk::gradients(through, {leaves_[c_input], leaves_[threshold_input]});
    result.insert(result.end(), dleaves_.begin() + up_weight, dleaves_.end());
    return result;
  }

 private:
  static constexpr Type type = TypeOf<T>::value;

  static T* data(const Tensor& x) { return x.data<T>(); }
  static T* row(const Tensor& x, Index batch) { return data(x) + (x.dim(0) > 1 ? batch : 0) * x.dim(1); }
  static const std::int32_t* row_of(const Tensor& positions, Index batch) {
    return positions.data<std::int32_t>() + (positions.dim(0) > 1 ? batch : 0) * positions.dim(1);
  }
  Index width() const { return leaves_[up_bias].size(); }

  kernels::Fire<T> problem(Index batch, Index head) const {
    kernels::Fire<T> fire;
    fire.width = width();
    fire.w1 = data(leaves_[up_weight]);
    fire.b1 = data(leaves_[up_bias]);
    fire.w2 = data(leaves_[down_weight]) + head * width();
    fire.b2 = data(leaves_[down_bias])[head];
    fire.positions = {row_of(positions_[0], batch), row_of(positions_[1], batch)};
    fire.psi = data(psi_);
    fire.reciprocal_queries = row(queries_, batch);
    fire.reciprocal_keys = row(keys_, batch);
    return fire;
  }

  Tensors positions_;
  Tensors leaves_, dleaves_;
  Tensor psi_, queries_, keys_, dpsi_, dqueries_, dkeys_;
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
          {"mlp.0.weight", &up_weight_, true},
          {"mlp.0.bias", &up_bias_, false},
          {"mlp.2.weight", &down_weight_, true},
          {"mlp.2.bias", &down_bias_, false}};
}

Effect Fire::effect(const Places& places, Type) const {
  const Tensors parameters{c_, threshold_, up_weight_, up_bias_, down_weight_, down_bias_};
  const auto term = std::make_shared<FireTerm>(parameters, places);
  return [term](AttentionTerms& terms, const Tensor&) { terms.biases.push_back(term); };
}

}  // namespace ropewalk::positional
