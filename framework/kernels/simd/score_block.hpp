// Blocks of attention scores: which queries meet which keys, and the scores of a block.
#pragma once

#include "framework/kernels/simd/exponentials.hpp"
#include "framework/kernels/simd/multiply.hpp"
#include "framework/kernels/simd/pack.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

constexpr Index kQueryBlock = 16;
constexpr Index kKeyBlock = 128;

inline Index smaller_of(Index a, Index b) { return a < b ? a : b; }
inline Index larger_of(Index a, Index b) { return a < b ? b : a; }

/// How many keys query i sees: keys 0 … visible - 1.
template <class T>
inline Index visible_keys(const Attention<T>& a, Index i) {
  return a.causal ? larger_of(0, smaller_of(a.keys, i + a.keys - a.queries + 1)) : a.keys;
}

/// Blocks of `size` out of [0, end), in order.
template <class Body>
inline void for_blocks(Index end, Index size, Body body) {
  for (Index begin = 0; begin < end; begin += size) body(Range{begin, smaller_of(begin + size, end)});
}

/// Fills the entries of a block that a mask hides, and the padding of its rows.
template <class T>
inline void fill_hidden(const Attention<T>& a, Range queries, Range keys, T value, T* block) {
  const Index padded = round_up_to_lanes<T>(keys.end - keys.begin);
  for (Index i = queries.begin; i < queries.end; ++i, block += kKeyBlock) {
    const Index seen = larger_of(0, smaller_of(visible_keys(a, i), keys.end) - keys.begin);
    for (Index j = seen; j < padded; ++j) block[j] = value;
  }
}

/// product [queries, kKeyBlock] = rows [queries, padded] times the transposed block of keys: `transposed` [width, kKeyBlock].
template <class T>
inline void multiply_block(const T* rows, const T* transposed, Range queries, Range keys, Index width, T* product) {
  const Index count = queries.end - queries.begin, columns = round_up_to_lanes<T>(keys.end - keys.begin);
  multiply<T, Result::overwrite>(count, columns, width, {rows, round_up_to_lanes<T>(width), 1}, {transposed, kKeyBlock},
                                 {product, kKeyBlock});
}

/// scores [queries, kKeyBlock] of scaled queries and transposed keys, bias added; -infinity where hidden.
template <class T>
inline void score_block(const Attention<T>& a, Index batch, Index head, Range queries, Range keys, const T* query,
                        const T* transposed_keys, T* scores) {
  multiply_block(query, transposed_keys, queries, keys, a.width, scores);
  if (a.bias) a.bias->add(batch, head, queries, keys, scores, kKeyBlock);
  fill_hidden(a, queries, keys, -kInfinity<T>, scores);
}

/// Where the transposed block that starts at key `begin` lies in an array of such blocks.
inline Index transposed_offset(Index begin, Index width) { return begin / kKeyBlock * width * kKeyBlock; }

inline Index transposed_size(Index keys, Index width) { return (keys + kKeyBlock - 1) / kKeyBlock * width * kKeyBlock; }

/// Transposes rows [keys, padded] block by block.
template <class T>
inline void transpose_blocks(const T* rows, Index keys, Index width, T* target) {
  const Index padded = round_up_to_lanes<T>(width);
  for_blocks(keys, kKeyBlock, [&](Range block) {
    pack_transposed(rows + block.begin * padded, block.end - block.begin, width, target + transposed_offset(block.begin, width),
                    kKeyBlock);
  });
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
