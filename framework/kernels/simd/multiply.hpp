// Small matrix products out of registers, for blocks that are in the cache already.
#pragma once

#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

constexpr Index smaller_of(Index a, Index b) { return a < b ? a : b; }
constexpr Index larger_of(Index a, Index b) { return a < b ? b : a; }
constexpr Index clamped(Index x, Index low, Index high) { return smaller_of(larger_of(x, low), high); }

/// A matrix whose element (row, column) is data[row * row_stride + column * column_stride].
template <class T>
struct Matrix {
  const T* data;
  Index row_stride;
  Index column_stride;
};

/// Rows of a multiple of the vector width.
template <class T>
struct Rows {
  T* data;
  Index stride;
};

// Sums held in registers: enough to hide the latency of a multiply-add, few enough not to spill. With AVX-512 a multiply-add
// takes its left factor from memory by itself, so a second vector would share nothing: on the blocks of attention on Zen 4, 8 x 1
// reaches 96 to 99 % of the peak, 8 x 2 reaches 88 to 97 %. With AVX2, 4 x 2 is the best of 4 x 2, 4 x 3, 6 x 2 and 8 x 1.
#if defined(__AVX512F__)
constexpr int kTileRows = 8, kTileVectors = 1;
#else
constexpr int kTileRows = 4, kTileVectors = 2;
#endif

enum class Result { overwrite, add };

/// Which products count, so that a factor that a row must not see is never read, be it NaN: all; of row i those of depths up to
/// i + lag; or those from i - lag on.
enum class Part { all, up_to, from };

/// c = a b, or c += a b, on a tile of TileRows rows and Vectors vectors.
template <class T, Result Mode, Part Counted, int TileRows, int Vectors>
[[gnu::always_inline]] inline void multiply_tile(Index depth, Index lag, Matrix<T> a, Rows<const T> b, Rows<T> c) {
  constexpr Index width = kLanes<T>;
  Vector<T> sums[TileRows][Vectors];
#pragma GCC unroll 8
  for (int r = 0; r < TileRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) sums[r][v] = Mode == Result::add ? load(c.data + r * c.stride + v * width) : Vector<T>{};
  }
  // Rows first … last - 1, which are constants once the loops around are unrolled.
  const auto take = [&](Index k, int first, int last) __attribute__((always_inline)) {
    Vector<T> right[Vectors];
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) right[v] = load(b.data + k * b.stride + v * width);
#pragma GCC unroll 8
    for (int r = 0; r < TileRows; ++r) {
      if (r < first || r >= last) continue;
      const T left = a.data[r * a.row_stride + k * a.column_stride];
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sums[r][v] += left * right[v];
    }
  };
  if constexpr (Counted == Part::from) {
#pragma GCC unroll 8
    for (int r = 0; r < TileRows - 1; ++r) {
      if (r >= lag && r - lag < depth) take(r - lag, 0, r + 1);
    }
  }
  const Index begin = Counted == Part::from ? clamped(TileRows - 1 - lag, 0, depth) : 0;
  const Index end = Counted == Part::up_to ? clamped(lag + 1, 0, depth) : depth;
  for (Index k = begin; k < end; ++k) take(k, 0, TileRows);
  if constexpr (Counted == Part::up_to) {
#pragma GCC unroll 8
    for (int r = 1; r < TileRows; ++r) {
      if (lag + r >= 0 && lag + r < depth) take(lag + r, r, TileRows);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < TileRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) store(c.data + r * c.stride + v * width, sums[r][v]);
  }
}

template <class T>
inline Matrix<T> from_row(Matrix<T> m, Index row) {
  return {m.data + row * m.row_stride, m.row_stride, m.column_stride};
}

template <class T>
inline Rows<T> from_row(Rows<T> m, Index row) {
  return {m.data + row * m.stride, m.stride};
}

/// A strip of Vectors vectors, all rows: whole tiles, then halves of a tile down to single rows.
template <class T, Result Mode, Part Counted, int Vectors, int TileRows = kTileRows>
[[gnu::always_inline]] inline void multiply_strip(Index rows, Index depth, Index lag, Matrix<T> a, Rows<const T> b, Rows<T> c) {
  constexpr Index lag_per_row = Counted == Part::from ? -1 : 1;
  Index r = 0;
  for (; r + TileRows <= rows; r += TileRows) {
    multiply_tile<T, Mode, Counted, TileRows, Vectors>(depth, lag + r * lag_per_row, from_row(a, r), b, from_row(c, r));
  }
  if constexpr (TileRows > 1) {
    if (r == rows) return;
    multiply_strip<T, Mode, Counted, Vectors, TileRows / 2>(rows - r, depth, lag + r * lag_per_row, from_row(a, r), b,
                                                            from_row(c, r));
  }
}

/// c [rows, columns] = or += a [rows, depth] b [depth, columns]; columns is a multiple of the vector width.
///
/// Inlined where it is called: passed through memory, the arguments would cost as much as a small product.
template <class T, Result Mode, Part Counted, int Vectors = kTileVectors>
[[gnu::always_inline]] inline void multiply(Index rows, Index columns, Index depth, Index lag, Matrix<T> a, Rows<const T> b,
                                            Rows<T> c) {
  constexpr Index step = Vectors * kLanes<T>;
  Index done = 0;
  for (; done + step <= columns; done += step) {
    multiply_strip<T, Mode, Counted, Vectors>(rows, depth, lag, a, {b.data + done, b.stride}, {c.data + done, c.stride});
  }
  if constexpr (Vectors > 1) {
    if (done == columns) return;
    multiply<T, Mode, Counted, Vectors - 1>(rows, columns - done, depth, lag, a, {b.data + done, b.stride},
                                            {c.data + done, c.stride});
  }
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
