// Rotation of the pairs of queries and keys.
#pragma once

#include <vector>

#include "framework/core/tensor.hpp"
#include "framework/kernels/kernels.hpp"

namespace ropewalk {

/// Cosine and sine of the angles of queries or keys (rope): [T, pairs], or [B, T, pairs] if each sequence has its own, in the
/// type of the model. The first 2 · pairs elements of a head turn.
struct RotationTables {
  Tensor cosine, sine;
  bool interleaved = true;  ///< pair j is (2j, 2j + 1); else (j, j + pairs)

  bool defined() const { return cosine.defined(); }
};

/// Pairs of queries that grow and pairs of keys that shrink with their position, so that scores decay with the distance (xpos):
/// pair j of a query at m is multiplied by exp(rate_j m), of a key at n by exp(−rate_j n).
///
/// The factors alone overflow at long lengths; so they are taken relative to a position near the queries of a piece of work, in
/// each sequence its own.
struct RotationGrowth {
  Tensor rate;                            ///< f64 [pairs]
  Tensor query_positions, key_positions;  ///< f64 [T], or both [B, T]

  /// Position of a query, by its index, in every row of positions.
  std::vector<double> positions_of(Index query) const;
  /// The largest exponent of a factor between the first and the last of `count` queries, of all cuts of the queries into so many.
  double exponent_over(Index count) const;
};

/// Tables with row i of a sequence times exp(rate (positions[i] − centre)), where each row of positions has its centre.
RotationTables grown(const RotationTables& tables, const Tensor& rate, const Tensor& positions,
                     const std::vector<double>& centres);

/// x [B, H, T, d] with its pairs turned, (a, b) -> (a cos − b sin, a sin + b cos), by rows begin … of the tables; made of plain
/// operations. x itself if there are no tables.
Tensor rotated(const Tensor& x, const RotationTables& tables, Index begin = 0);

/// The tables as the kernels read them. They must be packed and outlive the kernel's call.
template <class T>
kernels::Rotation<T> kernel_rotation(const RotationTables& tables) {
  if (!tables.defined()) return {};
  kernels::Rotation<T> rotation{tables.cosine.data<T>(), tables.sine.data<T>(), tables.cosine.dim(-1), tables.interleaved};
  if (tables.cosine.rank() == 3) rotation.batch_stride = tables.cosine.dim(1) * tables.cosine.dim(2);
  return rotation;
}

}  // namespace ropewalk
