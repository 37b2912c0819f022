// Scaled dot-product attention with what positional schemes do inside it.
#pragma once

#include <optional>

#include "framework/core/autograd.hpp"
#include "framework/ops/rotation.hpp"
#include "framework/ops/score_term.hpp"

namespace ropewalk {

/// Vectors for the clipped distances between a query and a key.
struct OffsetTerm {
  kernels::OffsetSide side = kernels::OffsetSide::query;
  Tensor rows;  ///< [H, R, d], or [1, R, d] if heads share them: row clip(query position − key position, low, low + R − 1) − low
  Index low = 0;  ///< distance of the first row
};

/// What attention is given besides queries, keys and values.
struct AttentionTerms {
  bool causal = true;                           ///< query i sees key j if j ≤ i + keys − queries
  double scale_terms = 1;                       ///< scores are q·k/√(scale_terms·d)
  RotationTables query_rotation, key_rotation;  ///< undefined: nothing rotates
  std::optional<RotationGrowth> growth;
  Tensor query_factor;  ///< [T, 1] or [B, T, 1], multiplies queries in their product with keys, and there alone; undefined: none
  /// Computes query · key by itself, rotation included; null: the product of the rotated ones.
  std::shared_ptr<ScoreTerm> product;
  std::vector<std::shared_ptr<ScoreTerm>> biases;
  std::vector<OffsetTerm> offsets;
  Tensor query_positions, key_positions;  ///< i32 [1, T], or [B, T], for the offsets
};

/// softmax(q·k/√d + bias) v for queries, keys and values that lie side by side: qkv [B, T, 3D], each of the thirds split into
/// heads -> [B, T, D]. Never stores [B, H, T, T]: blocks of queries and keys, scores recomputed on the way back (Dao et al.
/// 2022). Where nothing is recorded, a long sequence is cut into pieces for `parallel`.
Tensor attention(const Tensor& qkv, Index heads, const AttentionTerms& terms);

/// The same for queries [B, q, D] that look at keys and values [B, k, D] of more tokens than they are; not recorded.
Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value, Index heads, const AttentionTerms& terms);

/// How each query spreads its weights w over the keys it sees, f64 [B, H, T].
struct AttentionSpread {
  Tensor entropy;   ///< −Σ w ln w, nats
  Tensor distance;  ///< Σ w |m − n| for the query of index m and keys of indices n, tokens
};
struct AttentionWithSpread {
  Tensor output;  ///< [B, T, D]
  AttentionSpread spread;
};

/// The first, not recorded, to the same bits, with the spread of its weights: scores of the type of qkv, summed in double.
AttentionWithSpread attention_with_spread(const Tensor& qkv, Index heads, const AttentionTerms& terms);

/// The same as the first, composed of plain operations on dense scores; slow, obvious, and what the other is tested against.
Tensor attention_reference(const Tensor& qkv, Index heads, const AttentionTerms& terms);

/// What attention makes of pairs of tokens, [B, H, T, T], for looking at; 0 where the mask hides them.
struct AttentionMap {
  Tensor scores;   ///< with all that is added
  Tensor weights;  ///< their softmax
  Tensor bias;     ///< the part of the scores that is added whatever queries and keys are; undefined: none
};
AttentionMap attention_map(const Tensor& qkv, Index heads, const AttentionTerms& terms);

}  // namespace ropewalk
