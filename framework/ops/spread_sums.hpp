// The spread of an attention's weights, summed up while its scores come and go.
#pragma once

#include "framework/kernels/kernels.hpp"
#include "framework/ops/attention.hpp"

namespace ropewalk {

/// Takes in all scores of one attention, block by block, each pair of a query and a key once; blocks of different queries on any
/// thread.
class SpreadSums {
 public:
  SpreadSums(const Shape& query_rows, Index keys, bool causal);  ///< [B, H, queries]

  /// Of one head of one sequence, laid out as for a `kernels::ScoreBias`.
  template <class T>
  void add(Index batch, Index head, kernels::Range queries, kernels::Range keys, const T* scores, Index stride) const;
  /// [B, H, q, k]: of some queries with the first keys.
  void add(const Tensor& scores, kernels::Range queries) const;

  AttentionSpread spread() const;

 private:
  Index keys_;
  bool causal_;
  Tensor maximum_, weight_, score_, distance_;  // f64 [B, H, queries], see kernels::WeightSums
};

}  // namespace ropewalk
