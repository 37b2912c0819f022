// Attention with all scores of some queries at once, made of plain operations: the reference, and the only form of terms that
// the kernel cannot be given.
#pragma once

#include "framework/ops/attention.hpp"
#include "framework/ops/spread_sums.hpp"

namespace ropewalk {

/// Queries, keys and values split into heads, [B, H, T, d]; views.
struct HeadOperands {
  Tensor query, key, value;
};

/// Throws unless qkv is [B, T, 3D] with thirds that split into heads.
void check_packed(const Tensor& qkv, Index heads);
/// The thirds of qkv [B, T, 3D].
HeadOperands split_heads(const Tensor& qkv, Index heads);
/// x [B, T, D] -> [B, H, T, d]
Tensor split_heads_of(const Tensor& x, Index heads);

/// All tensors that terms are made of, in the order in which attention takes and returns them.
Tensors inputs_of(const AttentionTerms& terms);

/// Scores with all that is added, −infinity where hidden, [B, H, q, k], of some queries with the keys they see at most.
/// `inputs` stand in the place of `inputs_of(terms)`.
Tensor dense_scores(const HeadOperands& operands, const AttentionTerms& terms, const Tensors& inputs, kernels::Range queries);

/// The part of these scores that does not depend on queries and keys, 0 where hidden; undefined if there is none.
Tensor dense_bias(const HeadOperands& operands, const AttentionTerms& terms, const Tensors& inputs, kernels::Range queries);

/// The queries in slices whose scores fit into memory. The cut depends on shapes alone, so do the bits.
std::vector<kernels::Range> query_slices(Index batch, Index heads, Index queries, Index keys);

/// Output [B, q, D] of some queries; their scores go into `sums` as well, if there are any.
Tensor dense_attention(const HeadOperands& operands, const AttentionTerms& terms, const Tensors& inputs, kernels::Range queries,
                       const SpreadSums* sums = nullptr);

/// The same for all queries of qkv, slice by slice: memory linear in the length. On the way back each slice is computed again.
Tensor sliced_attention(const Tensor& qkv, Index heads, const AttentionTerms& terms);
/// The same without a way back, for queries that look at more keys than they are.
Tensor sliced_attention(const HeadOperands& operands, const AttentionTerms& terms, const SpreadSums* sums = nullptr);

}  // namespace ropewalk
