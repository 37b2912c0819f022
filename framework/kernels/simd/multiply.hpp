// Small matrix products out of registers, for blocks that are in the cache already.
#pragma once

#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

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

// Sums held in registers: enough to hide the latency of a multiply-add, few enough not to spill.
#if defined(__AVX512F__)
constexpr int kTileRows = 8, kTileVectors = 3;
#else
constexpr int kTileRows = 4, kTileVectors = 2;
#endif

enum class Result { overwrite, add };

/// c = a b, or c += a b, on a tile of TileRows rows and Vectors vectors.
template <class T, Result Mode, int TileRows, int Vectors>
inline void multiply_tile(Index depth, Matrix<T> a, Rows<const T> b, Rows<T> c) {
  constexpr Index width = kLanes<T>;
  Vector<T> sums[TileRows][Vectors] = {};
  for (Index k = 0; k < depth; ++k) {
    Vector<T> right[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) right[v] = load(b.data + k * b.stride + v * width);
#pragma GCC unroll 16
    for (int r = 0; r < TileRows; ++r) {
      const T left = a.data[r * a.row_stride + k * a.column_stride];
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) sums[r][v] += left * right[v];
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < TileRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      T* target = c.data + r * c.stride + v * width;
      store(target, Mode == Result::add ? load(target) + sums[r][v] : sums[r][v]);
    }
  }
}

/// A strip of Vectors vectors, all rows: whole tiles, then halves of a tile down to single rows.
template <class T, Result Mode, int Vectors, int TileRows = kTileRows>
void multiply_strip(Index rows, Index depth, Matrix<T> a, Rows<const T> b, Rows<T> c) {
  Index r = 0;
  for (; r + TileRows <= rows; r += TileRows) {
    multiply_tile<T, Mode, TileRows, Vectors>(depth, {a.data + r * a.row_stride, a.row_stride, a.column_stride}, b,
                                              {c.data + r * c.stride, c.stride});
  }
  if constexpr (TileRows > 1) {
    if (r == rows) return;
    multiply_strip<T, Mode, Vectors, TileRows / 2>(rows - r, depth, {a.data + r * a.row_stride, a.row_stride, a.column_stride}, b,
                                                   {c.data + r * c.stride, c.stride});
  }
}

/// c [rows, columns] = or += a [rows, depth] b [depth, columns]; columns is a multiple of the vector width.
template <class T, Result Mode, int Vectors = kTileVectors>
void multiply(Index rows, Index columns, Index depth, Matrix<T> a, Rows<const T> b, Rows<T> c) {
  constexpr Index step = Vectors * kLanes<T>;
  Index done = 0;
  for (; done + step <= columns; done += step) {
    multiply_strip<T, Mode, Vectors>(rows, depth, a, {b.data + done, b.stride}, {c.data + done, c.stride});
  }
  if constexpr (Vectors > 1) {
    if (done == columns) return;
    multiply<T, Mode, Vectors - 1>(rows, columns - done, depth, a, {b.data + done, b.stride}, {c.data + done, c.stride});
  }
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
