#include "framework/ops/spread_sums.hpp"

#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"

namespace ropewalk {

using kernels::Range;

SpreadSums::SpreadSums(const Shape& query_rows, Index keys, bool causal)
    : keys_(keys),
      causal_(causal),
      maximum_(Tensor::full(query_rows, -INFINITY, Type::f64)),
      weight_(Tensor::zeros(query_rows, Type::f64)),
      score_(Tensor::zeros(query_rows, Type::f64)),
      distance_(Tensor::zeros(query_rows, Type::f64)) {}

template <class T>
void SpreadSums::add(Index batch, Index head, Range queries, Range keys, const T* scores, Index stride) const {
  const Index all = weight_.dim(2), row = (batch * weight_.dim(1) + head) * all;
  const auto of = [&](const Tensor& sums) { return sums.data<double>() + row; };
  kernels::table<T>().sum_weights(queries, keys, keys_ - all, causal_, scores, stride,
                                  {of(maximum_), of(weight_), of(score_), of(distance_)});
}

template void SpreadSums::add(Index, Index, Range, Range, const float*, Index) const;
template void SpreadSums::add(Index, Index, Range, Range, const double*, Index) const;

void SpreadSums::add(const Tensor& scores, Range queries) const {
  const Tensor by_key = packed(transpose(scores));  // [B, H, k, q]
  const Index keys = by_key.dim(2), block = keys * queries.size();
  dispatch(scores.type(), [&]<class T>(T) {
    const T* next = by_key.data<T>();
    for (Index b = 0; b < by_key.dim(0); ++b) {
      for (Index h = 0; h < by_key.dim(1); ++h, next += block) add(b, h, queries, {0, keys}, next, queries.size());
    }
  });
}

/// With e = exp(s − max) and w = e / Σ e, −ln w = ln Σ e − (s − max).
AttentionSpread SpreadSums::spread() const {
  return {subtract(log(weight_), divide(score_, weight_)), divide(distance_, weight_)};
}

}  // namespace ropewalk
