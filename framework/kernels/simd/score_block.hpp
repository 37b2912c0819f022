// Scores of a block.
#pragma once

#include "framework/kernels/simd/offset_terms.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

/// What the scores of a block are products of.
template <class T>
struct ScoreFactors {
  const T* transposed_queries;  ///< [width, kQueryBlock], rotated and scaled
  const T* keys;                ///< [rows, padded], rotated
  const T* unturned_queries;    ///< [columns, padded], scaled
  const T* unturned_keys;       ///< [rows, padded]
};

/// Scores with offset terms and bias added; -infinity where hidden.
template <class T>
inline void score_block(const Attention<T>& a, Index batch, Index head, const Block& block, const ScoreFactors<T>& factors,
                        const OffsetTerms<T>& offsets, T* scores) {
  multiply_transposed(block, a.width, factors.keys, factors.transposed_queries, scores);
  offsets.add_to_scores(block, factors.unturned_queries, factors.unturned_keys, scores);
  if (a.bias) {
    for_computed_entries(block, scores, [&](Range part_queries, Range part_keys, T* part) {
      a.bias->add(batch, head, part_queries, part_keys, part, kQueryBlock);
    });
  }
  fill_hidden(block, -kInfinity<T>, scores);
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
