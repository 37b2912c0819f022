// A table of vectors by distance, and its three products over a block of pairs of queries and keys.
//
// Where positions go up by one, as they nearly always do, or where clipping leaves one row, the products are those of whole
// matrices: a window of the table, as wide as the block has distances, meets the block's queries or keys, and what belongs to a
// pair moves between the window and the block along diagonals. Otherwise each pair looks its row up.
#pragma once

#include <optional>

#include "framework/kernels/simd/block.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

/// Positions of the rows of one sequence.
struct Positions {
  const std::int32_t* query;
  const std::int32_t* key;
};

/// The rows of a term for one head, of all distances that a call has.
template <class T>
struct OffsetTable {
  Index low, high;  ///< distances are clipped to these: the term's own bounds, or less if none of the call reaches them
  Index width;
  T* rows = nullptr;        ///< [high - low + 1, padded]
  T* transposed = nullptr;  ///< [width, transposed_stride]
  T* drows = nullptr;       ///< like the rows; nullptr: nobody asks

  Index count() const { return high - low + 1; }
  Index padded() const { return round_up_to_lanes<T>(width); }
  /// A product of a window reads up to a vector beyond the last row.
  Index transposed_stride() const { return round_up_to_lanes<T>(count()) + kLanes<T>; }
  Index row(Index distance) const { return clamped(distance, low, high) - low; }
};

struct Extremes {
  Index least, most;
};

inline Extremes extremes_of(const std::int32_t* positions, Range range) {
  Extremes found{positions[range.begin], positions[range.begin]};
  for (Index i = range.begin; i < range.end; ++i) {
    found.least = smaller_of(found.least, positions[i]);
    found.most = larger_of(found.most, positions[i]);
  }
  return found;
}

inline bool ascend_by_one(const std::int32_t* positions, Range range) {
  bool ascend = true;
  for (Index i = range.begin; i < range.end; ++i) ascend &= positions[i] == positions[range.begin] + (i - range.begin);
  return ascend;
}

/// Columns of a window: the pair of query i and key j has column i + (keys - 1 - j).
struct Window {
  Index first, end;  ///< pairs that are seen have columns first … end - 1
  Index low, high;   ///< columns low … high have rows of their own; those before and after share the outer ones
  Index row;         ///< of column `low`

  Index rows() const { return high - low + 1; }
};

/// nullopt: the block's pairs do not lie on such diagonals.
template <class T>
inline std::optional<Window> window_of(const Block& block, const OffsetTable<T>& table, const Positions& positions) {
  const Extremes query = extremes_of(positions.query, block.queries), key = extremes_of(positions.key, block.keys);
  const Index end = block.columns() + block.rows() - 1, nearest = query.least - key.most;
  const Index lowest_row = table.row(nearest);
  if (lowest_row == table.row(query.most - key.least)) return Window{0, end, 0, 0, lowest_row};
  if (!ascend_by_one(positions.query, block.queries) || !ascend_by_one(positions.key, block.keys)) return std::nullopt;
  const Index first = clamped(block.rows() - 1 - block.lag, 0, end - 1);
  const Index low = clamped(table.low - nearest, first, end - 1), high = clamped(table.high - nearest, first, end - 1);
  return Window{first, end, low, high, table.row(nearest + low)};
}

/// Keys that share a window whose rows are keys: each of them meets only as many distances as the block has queries, so a window
/// for all of them would be mostly wasted.
constexpr Index kKeyGroup = 16;
static_assert(kKeyBlock % kKeyGroup == 0);

/// The products of one table and one block. `Meets` is `OffsetSide::key` if rows of the table meet keys; otherwise they meet
/// queries, or what has a row for each query. x and dx are [rows or columns of the block, padded].
template <class T, OffsetSide Meets>
class OffsetBlock {
 public:
  /// Room for the window: a vector before and after it.
  static constexpr Index stride = kLanes<T> + kQueryBlock + kKeyBlock + kLanes<T>;
  static constexpr Index room = kQueryBlock * stride;
  static_assert(kKeyGroup <= kQueryBlock);

  OffsetBlock(const OffsetTable<T>& table, const Block& block, const Positions& positions, T* room)
      : table_(table),
        block_(block),
        positions_(positions),
        own_(keys_own ? block.rows() : block.columns()),
        padded_(table.padded()),
        window_(window_of(block, table, positions)),
        entries_(room + kLanes<T>) {}

  /// entries += x.row, of every pair.
  void dot(const T* x, T* entries) const {
    if (!window_) return dot_pairs(x, entries);
    multiply<T, Result::overwrite, Part::all>(own_, round_up_to_lanes<T>(window_->rows()), table_.width, 0, {x, padded_, 1},
                                              {table_.transposed + window_->row, table_.transposed_stride()},
                                              {entries_ + window_->low, stride});
    repeat_outer_columns();
    add_window_to(entries);
  }

  /// dx += entries * row, unless dx is nullptr, and drows += entries * x, if somebody asks for it: summed over the pairs.
  void propagate(const T* entries, const T* x, T* dx) const {
    if (window_) {
      take_window_from(entries);
      if (dx) add_window_rows(dx);
      if (table_.drows) collect_window_rows(x);
    } else {
      if (dx) add_pairs(entries, dx);
      if (table_.drows) collect_pairs(entries, x);
    }
  }

 private:
  static constexpr bool keys_own = Meets == OffsetSide::key;

  // Window [own rows, stride].

  void add_window_rows(T* dx) const {
    multiply<T, Result::add, Part::all>(own_, padded_, window_->rows(), 0, {entries_ + window_->low, stride, 1},
                                        {table_.rows + window_->row * padded_, padded_}, {dx, padded_});
  }

  void collect_window_rows(const T* x) const {
    multiply<T, Result::add, Part::all>(window_->rows(), padded_, own_, 0, {entries_ + window_->low, 1, stride}, {x, padded_},
                                        {table_.drows + window_->row * padded_, padded_});
  }

  void repeat_outer_columns() const {
    for (Index r = 0; r < own_; ++r) {
      T* line = entries_ + r * stride;
      const T low = line[window_->low], high = line[window_->high];
      for (Index c = window_->first; c < window_->low; ++c) line[c] = low;
      for (Index c = window_->high + 1; c < window_->end; ++c) line[c] = high;
    }
  }

  void sum_outer_columns() const {
    for (Index r = 0; r < own_; ++r) {
      T* line = entries_ + r * stride;
      T low = 0, high = 0;
#pragma omp simd reduction(+ : low)
      for (Index c = window_->first; c < window_->low; ++c) low += line[c];
#pragma omp simd reduction(+ : high)
      for (Index c = window_->high + 1; c < window_->end; ++c) high += line[c];
      line[window_->low] += low;
      line[window_->high] += high;
    }
  }

  void add_window_to(T* entries) const {
    if constexpr (keys_own) {
      for_lines(entries, [](const T* in_window, T* in_block, auto lanes) {
        store(in_block, load(in_block, lanes) + load(in_window, lanes), lanes);
      });
    } else {
      for_tiles(entries, [](const T* in_window, T* in_block, Index queries, Index keys) {
        Vector<T> tile[kLanes<T>];
        for (Index i = 0; i < kLanes<T>; ++i) tile[i] = i < queries ? load(in_window + i * (stride + 1)) : Vector<T>{};
        transpose<T>(tile);
        for (Index j = 0; j < kLanes<T> && j < keys; ++j) {
          T* entry = in_block + j * kQueryBlock;
          store(entry, load(entry) + tile[kLanes<T> - 1 - j]);
        }
      });
    }
  }

  void take_window_from(const T* entries) const {
    for (Index r = 0; r < own_; ++r) {
      T* line = entries_ + r * stride;
      for (Index c = 0; c < window_->end; ++c) line[c] = 0;
    }
    if constexpr (keys_own) {
      for_lines(entries, [](T* in_window, const T* in_block, auto lanes) { store(in_window, load(in_block, lanes), lanes); });
    } else {
      for_tiles(entries, [](T* in_window, const T* in_block, Index queries, Index keys) {
        Vector<T> tile[kLanes<T>];
        for (Index j = 0; j < kLanes<T>; ++j) {
          tile[kLanes<T> - 1 - j] = j < keys ? load(in_block + j * kQueryBlock) : Vector<T>{};
        }
        transpose<T>(tile);
        for (Index i = 0; i < kLanes<T> && i < queries; ++i) store(in_window + i * (stride + 1), tile[i]);
      });
    }
    sum_outer_columns();
  }

  /// A key's pairs lie alike in the window and in the block: calls body(in_window, in_block, lanes) for its vectors of queries.
  template <class Entry, class Body>
  void for_lines(Entry* entries, Body body) const {
    for_vectors<T>(block_.columns(), [&](Index column, auto lanes) {
      const Index rows = block_.seen_by(column + kLanes<T> - 1);
      for (Index j = 0; j < rows; ++j) {
        body(entries_ + j * stride + column + block_.rows() - 1 - j, entries + j * kQueryBlock + column, lanes);
      }
    });
  }

  /// A query's pairs are a line of the window, from its last key to its first, and a column of the block. Calls body(in_window,
  /// in_block, queries, keys) for a vector of queries and a vector of keys at a time, of which that many are there; the line of a
  /// query starts one column after that of the query before.
  template <class Entry, class Body>
  void for_tiles(Entry* entries, Body body) const {
    for_lanes<T>(block_, [&](Index column, Index rows) {
      const Index queries = block_.columns() - column;
      for (Index j = 0; j < rows; j += kLanes<T>) {
        body(entries_ + column * stride + column + block_.rows() - j - kLanes<T>, entries + j * kQueryBlock + column, queries,
             rows - j);
      }
    });
  }

  // Pair by pair, of those that are seen.

  void dot_pairs(const T* x, T* entries) const {
    for_own_pairs([&](Index own, const Index* rows, Index begin, Index end) {
      for (Index other = begin; other < end; other += kLanes<T>) {
        const Index count = smaller_of(kLanes<T>, end - other);
        Vector<T> products[kLanes<T>] = {};
        for (Index k = 0; k < count; ++k) {
          const T* row = table_.rows + rows[other + k];
          for (Index c = 0; c < padded_; c += kLanes<T>) products[k] += load(x + own * padded_ + c) * load(row + c);
        }
        const Vector<T> sums = sums_across<T>(products);
        for (Index k = 0; k < count; ++k) entries[entry(own, other + k)] += sums[k];
      }
    });
  }

  void add_pairs(const T* entries, T* dx) const {
    for_own_pairs([&](Index own, const Index* rows, Index begin, Index end) {
      for (Index c = 0; c < padded_; c += kLanes<T>) {
        Vector<T> sum = load(dx + own * padded_ + c);
        for (Index k = begin; k < end; ++k) sum += entries[entry(own, k)] * load(table_.rows + rows[k] + c);
        store(dx + own * padded_ + c, sum);
      }
    });
  }

  void collect_pairs(const T* entries, const T* x) const {
    for_own_pairs([&](Index own, const Index* rows, Index begin, Index end) {
      for (Index c = 0; c < padded_; c += kLanes<T>) {
        const Vector<T> v = load(x + own * padded_ + c);
        for (Index k = begin; k < end; ++k) {
          T* drow = table_.drows + rows[k] + c;
          store(drow, load(drow) + entries[entry(own, k)] * v);
        }
      }
    });
  }

  static Index entry(Index own, Index other) { return keys_own ? own * kQueryBlock + other : other * kQueryBlock + own; }

  /// Calls body(own, rows, begin, end) for each query, or key, with the others begin … end - 1 that it meets; rows[other] is
  /// where the pair's row starts in the table.
  template <class Body>
  void for_own_pairs(Body body) const {
    const std::int32_t* own_positions = keys_own ? positions_.key + block_.keys.begin : positions_.query + block_.queries.begin;
    const std::int32_t* others = keys_own ? positions_.query + block_.queries.begin : positions_.key + block_.keys.begin;
    constexpr Index sign = keys_own ? -1 : 1;
    Index rows[larger_of(kKeyBlock, kQueryBlock)];
    for (Index own = 0; own < own_; ++own) {
      const Index begin = keys_own ? clamped(own - block_.lag, 0, block_.columns()) : 0;
      const Index end = keys_own ? block_.columns() : block_.seen_by(own);
      for (Index k = begin; k < end; ++k) rows[k] = table_.row(sign * (Index{own_positions[own]} - others[k])) * padded_;
      body(own, rows, begin, end);
    }
  }

  const OffsetTable<T>& table_;
  const Block& block_;
  const Positions& positions_;
  Index own_;  // rows of x
  Index padded_;
  std::optional<Window> window_;
  T* entries_;
};

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
