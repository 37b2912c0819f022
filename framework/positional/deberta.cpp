#include "framework/positional/deberta.hpp"

#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/select.hpp"
#include "framework/positional/offsets.hpp"

namespace ropewalk::positional {

void Deberta::describe(Fields& fields) {
  fields.add("clip", clip_, "offsets further away share a row of the table, tokens").at_least(1).limit_to(1 << 20);
  LayeredScheme::describe(fields);
}

void Deberta::prepare(const Context& context, const Random& random, Type type) {
  heads_ = context.heads;
  table_ = small_normal({2 * clip_, context.width}, random, "table", type);
  query_projection_ = small_normal({context.width, context.width}, random, "W_q", type);
  key_projection_ = small_normal({context.width, context.width}, random, "W_k", type);
}

Parameters Deberta::parameters() {
  return {{"table", &table_, false}, {"W_q", &query_projection_, false}, {"W_k", &key_projection_, false}};
}

Tensor Deberta::rows(const Tensor& projection, bool falling) const {
  const Index count = 2 * clip_;
  std::vector<std::int32_t> order;
  for (Index row = 0; row < count; ++row) order.push_back(static_cast<std::int32_t>(falling ? count - 1 - row : row));
  const Tensor projected = linear(gather(table_, 0, Tensor::of(order, {count})), projection);
  return permute(reshape(projected, {count, heads_, projected.dim(1) / heads_}), {1, 0, 2});
}

/// δ(m, n) rises with the distance m − n from −clip on; δ(n, m) falls with it, and meets its clip one step later.
Effect Deberta::effect(const Places& places, Type) const {
  const Tensor keys = rows(key_projection_, false), queries = rows(query_projection_, true);
  return [=, clip = clip_](AttentionTerms& terms, const Tensor&) {
    terms.scale_terms = 3;
    add_offset_term(terms, places, kernels::OffsetSide::query, keys, -clip);
    add_offset_term(terms, places, kernels::OffsetSide::key, queries, 1 - clip);
  };
}

}  // namespace ropewalk::positional
