#include "framework/positional/cope.hpp"

#include <algorithm>
#include <cmath>

#include "framework/ops/cumulate.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/select.hpp"

namespace ropewalk::positional {
namespace {

/// Whole part of every element, and the next number up to `last`: i32.
struct Neighbours {
  Tensor below, above;
};

Neighbours neighbours_of(const Tensor& positions, Index last) {
  const Tensor source = packed(positions);
  const Neighbours found{Tensor::empty(source.shape(), Type::i32), Tensor::empty(source.shape(), Type::i32)};
  dispatch(source.type(), [&]<class T>(T) {
    for (Index i = 0; i < source.size(); ++i) {
      const T position = source.data<T>()[i];
      const Index below = std::isnan(position) ? 0 : static_cast<Index>(position);  // a diverged run must show, not crash
      found.below.data<std::int32_t>()[i] = static_cast<std::int32_t>(below);
      found.above.data<std::int32_t>()[i] = static_cast<std::int32_t>(std::min(below + 1, last));
    }
  });
  return found;
}

class ContextualTerm final : public ScoreTerm {
 public:
  ContextualTerm(const Tensor& table, bool scaled) : table_(table), scaled_(scaled) {}

  Tensors inputs() const override { return {table_}; }
  bool reads_content() const override { return true; }
  bool has_fused() const override { return false; }

  Tensor dense(const DenseBlock& block, const Tensors& inputs) const override {
    const Tensor& table = inputs[0];
    const Index last = table.dim(0) - 1;
    const Tensor position = clamp(positions(block), 0, static_cast<double>(last));
    const auto [below, above] = neighbours_of(position, last);
    const Tensor whole = matmul(block.query, transpose(table));  // q·e at every whole position, [B, H, q, R]
    const Tensor share = subtract(position, as_numbers(below, position.type()));
    const Tensor low = pick(whole, below), high = pick(whole, above);
    return add(low, multiply(share, subtract(high, low)));
  }

 private:
  /// Sum of the gates from each key to the query, [B, H, q, k].
  Tensor positions(const DenseBlock& block) const {
    const Tensor products = scale(matmul(block.query, transpose(block.key)), scaled_ ? block.scale : 1.0);
    const Tensor gates = masked_fill(sigmoid(products), hidden_keys(block), 0);
    const Tensor before = subtract(cumulative_sum(gates, -1), gates);
    return subtract(sum(gates, {-1}, true), before);
  }

  static Tensor as_numbers(const Tensor& indices, Type type) { return Tensor::of(indices.values(), indices.shape(), type); }

  Tensor table_;
  bool scaled_;
};

}  // namespace

void Cope::describe(Fields& fields) {
  fields.add("max_position", max_position_, "rows of the table; larger positions share the last").at_least(2).limit_to(1 << 20);
  fields.add("gates", gates_, "gates see q.k, or q.k divided by the root of the head width as in the authors' code")
      .one_of({"dot", "scaled"});
  LayeredScheme::describe(fields);
}

void Cope::prepare(const Context& context, const Random& random, Type type) {
  table_ = small_normal({max_position_, context.head_width()}, random, "table", type);
}

Effect Cope::effect(const Places&, Type) const {
  const auto term = std::make_shared<ContextualTerm>(table_, gates_ == "scaled");
  return [term](AttentionTerms& terms, const Tensor&) { terms.biases.push_back(term); };
}

}  // namespace ropewalk::positional
