#include "framework/positional/forget.hpp"

#include "framework/ops/cumulate.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/reduce.hpp"

namespace ropewalk::positional {
namespace {

/// Sums of log gates [B, T, H] up to each token, [B, H, T] in double: they grow without bound, their differences must stay exact.
std::vector<double> cumulated(const Tensor& gates) {
  const Index batch = gates.dim(0), length = gates.dim(1), heads = gates.dim(2);
  const std::vector<double> values = gates.values();
  std::vector<double> sums(values.size());
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      double sum = 0;
      for (Index t = 0; t < length; ++t) {
        sum += values[static_cast<std::size_t>((b * length + t) * heads + h)];
        sums[static_cast<std::size_t>((b * heads + h) * length + t)] = sum;
      }
    }
  }
  return sums;
}

/// Hands out sums at the query less sums at the key; queries are the last of the keys.
template <class T>
class Hook final : public kernels::ScoreBias<T> {
 public:
  Hook(const Tensor& gates, Index queries, bool collects)
      : batch_(gates.dim(0)), length_(gates.dim(1)), heads_(gates.dim(2)), ahead_(length_ - queries), sums_(cumulated(gates)) {
    if (collects) dqueries_ = dkeys_ = std::vector<double>(sums_.size());
  }

  void add(Index batch, Index head, kernels::Range queries, kernels::Range keys, T* scores, Index stride) const override {
    const double* row = sums_.data() + start(batch, head);
    kernels::table<T>().add_difference_bias(row + ahead_, row, queries, keys, scores, stride);
  }

  void collect(Index batch, Index head, kernels::Range queries, kernels::Range keys, const T* dscores, Index stride) override {
    kernels::table<T>().collect_difference_bias(dqueries_.data() + start(batch, head) + ahead_,
                                                dkeys_.data() + start(batch, head), queries, keys, dscores, stride);
  }

  /// A gate is in the sums of its own token and of all later ones.
  Tensors gradients() const {
    const Tensor dgates = Tensor::empty({batch_, length_, heads_}, TypeOf<T>::value);
    for (Index b = 0; b < batch_; ++b) {
      for (Index h = 0; h < heads_; ++h) {
        double sum = 0;
        for (Index t = length_; t-- > 0;) {
          const auto at = static_cast<std::size_t>(start(b, h) + t);
          sum += dqueries_[at] + dkeys_[at];
          dgates.data<T>()[(b * length_ + t) * heads_ + h] = static_cast<T>(sum);
        }
      }
    }
    return {dgates};
  }

 private:
  Index start(Index batch, Index head) const { return (batch * heads_ + head) * length_; }

  Index batch_, length_, heads_, ahead_;
  std::vector<double> sums_, dqueries_, dkeys_;
};

class ForgetTerm final : public ScoreTerm {
 public:
  explicit ForgetTerm(const Tensor& gates) : gates_(gates) {}

  Tensors inputs() const override { return {gates_}; }

  Tensor dense(const DenseBlock& block, const Tensors& inputs) const override {
    const Tensor sums = permute(cumulative_sum(inputs[0], 1), {0, 2, 1});  // [B, H, T]
    const Index ahead = block.all_keys - block.all_queries;
    const Tensor at_query = slice(sums, 2, block.queries.begin + ahead, block.queries.end + ahead);
    const Tensor at_key = slice(sums, 2, 0, block.keys());
    const auto with_axis = [](const Tensor& x, bool last) {
      return reshape(x, last ? Shape{x.dim(0), x.dim(1), x.dim(2), 1} : Shape{x.dim(0), x.dim(1), 1, x.dim(2)});
    };
    return subtract(with_axis(at_query, true), with_axis(at_key, false));
  }

  FusedBias fused(Index heads, Index queries, Index keys, Type type, bool collects) const override {
    check(gates_.dim(2) == heads && gates_.dim(1) == keys && queries <= keys,
          "attention: forget gates {} do not cover {} heads, {} queries and {} keys", gates_.shape(), heads, queries, keys);
    return fuse<Hook>(type, gates_, queries, collects);
  }

 private:
  Tensor gates_;  ///< logarithms of the gates, [B, T, H]
};

}  // namespace

void Forget::prepare(const Context& context, const Random& random, Type type) {
  weight_ = small_normal({context.heads, context.width}, random, "w", type);
  bias_ = Tensor::zeros({context.heads}, type);
}

Effect Forget::effect(const Places&, Type) const {
  return [weight = weight_, bias = bias_](AttentionTerms& terms, const Tensor& x) {
    terms.biases.push_back(std::make_shared<ForgetTerm>(log_sigmoid(linear(x, weight, bias))));
  };
}

}  // namespace ropewalk::positional
