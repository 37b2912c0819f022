// Blocks of pairs of queries and keys: which of them meet, and the products over a block.
//
// A block is an array [keys, kQueryBlock]: a row is a key, a lane is a query. So keys and values are read as they lie, only
// the block's few queries are transposed, and everything that softmax does along the keys of a query is the same operation on
// all lanes, without a sum or a maximum across a vector.
#pragma once

#include "framework/kernels/simd/exponentials.hpp"
#include "framework/kernels/simd/multiply.hpp"
#include "framework/kernels/simd/pack.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

// Of query blocks of 16, 32, 48, 64 and key blocks of 64, 128, 256, this is within 1 % of the best (AVX-512, Zen 4) at T = 64 and
// 1024 … 4096 with d = 16, T = 128 and 256 with d = 32, and T = 256 with d = 64; none is more than 4 % behind. kQueryBlock is a
// multiple of every vector width.
constexpr Index kQueryBlock = kAttentionCut;
constexpr Index kKeyBlock = 128;

/// How many keys query i sees: keys 0 … visible - 1.
template <class T>
inline Index visible_keys(const Attention<T>& a, Index i) {
  return a.causal ? clamped(i + a.keys - a.queries + 1, 0, a.keys) : a.keys;
}

/// Blocks of `size` out of [begin, end), in order.
template <class Body>
inline void for_blocks(Range all, Index size, Body body) {
  for (Index begin = all.begin; begin < all.end; begin += size) body(Range{begin, smaller_of(begin + size, all.end)});
}

/// One block: rows are keys, columns are queries; column i sees row j if j <= i + lag.
struct Block {
  Range queries, keys;
  Index lag;

  Index rows() const { return keys.size(); }
  Index columns() const { return queries.size(); }
  /// How many rows a column sees.
  Index seen_by(Index column) const { return clamped(column + lag + 1, 0, rows()); }
};

template <class T>
inline Block block_of(const Attention<T>& a, Range queries, Range keys) {
  return {queries, keys, a.causal ? queries.begin + a.keys - a.queries - keys.begin : keys.size()};
}

/// Calls body(column, rows) for the columns in steps of a vector, with the number of rows that its last lane sees.
template <class T, class Body>
inline void for_lanes(const Block& block, Body body) {
  for (Index column = 0; column < block.columns(); column += kLanes<T>) body(column, block.seen_by(column + kLanes<T> - 1));
}

template <class T, int... Lane>
inline Vector<T> counted(std::integer_sequence<int, Lane...>) {
  return Vector<T>{static_cast<T>(Lane)...};
}

/// Fills the entries that the mask hides, in those vectors of which a lane is seen.
template <class T>
inline void fill_hidden(const Block& block, T value, T* entries) {
  const Vector<T> lane = counted<T>(std::make_integer_sequence<int, kLanes<T>>{}), fill = broadcast(value);
  for_lanes<T>(block, [&](Index column, Index rows) {
    for (Index j = block.seen_by(column); j < rows; ++j) {
      T* entry = entries + j * kQueryBlock + column;
      store(entry, lane < static_cast<T>(j - block.lag - column) ? fill : load(entry));
    }
  });
}

/// Calls body(rows, start) for what is computed of the block, in whole vectors: those rows, columns from `start` on. At once for
/// the rows that all columns see; along the edge of the mask, vector by vector.
template <class T, class Body>
inline void for_computed(const Block& block, Body body) {
  Index row = clamped(block.lag, 0, block.rows());
  if (row > 0) body(Range{0, row}, Index{0});
  while (row < block.rows()) {
    const Index start = (row - block.lag) / kLanes<T> * kLanes<T>, end = smaller_of(start + kLanes<T> + block.lag, block.rows());
    body(Range{row, end}, start);
    row = end;
  }
}

/// entries [rows, columns] = a [rows, padded] times b, which is transposed: [width, kQueryBlock].
template <class T>
inline void multiply_transposed(const Block& block, Index width, const T* a, const T* b, T* entries) {
  const Index padded = round_up_to_lanes<T>(width), columns = round_up_to_lanes<T>(block.columns());
  for_computed<T>(block, [&](Range rows, Index start) {
    multiply<T, Result::overwrite, Part::all>(rows.size(), columns - start, width, 0, {a + rows.begin * padded, padded, 1},
                                              {b + start, kQueryBlock},
                                              {entries + rows.begin * kQueryBlock + start, kQueryBlock});
  });
}

/// Calls body(queries, keys, entries) for what is computed of the block: the form in which a bias is given it.
template <class T, class Body>
inline void for_computed_entries(const Block& block, T* entries, Body body) {
  for_computed<T>(block, [&](Range rows, Index start) {
    body(Range{block.queries.begin + start, block.queries.end}, Range{block.keys.begin + rows.begin, block.keys.begin + rows.end},
         entries + rows.begin * kQueryBlock + start);
  });
}

/// c [rows, padded] += entries [rows, columns] b [columns, padded], of the entries that are not hidden.
template <class T>
inline void add_to_keys(const Block& block, Index padded, const T* entries, const T* b, T* c) {
  multiply<T, Result::add, Part::from>(block.rows(), padded, block.columns(), block.lag, {entries, kQueryBlock, 1}, {b, padded},
                                       {c, padded});
}

/// c [columns, padded] += transpose of entries [rows, columns] times b [rows, padded], of the entries that are not hidden.
template <class T>
inline void add_to_queries(const Block& block, Index padded, const T* entries, const T* b, T* c) {
  multiply<T, Result::add, Part::up_to>(block.columns(), padded, block.rows(), block.lag, {entries, 1, kQueryBlock}, {b, padded},
                                        {c, padded});
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
