// Copies of a head's rows in the form that the products of attention read: rotated, scaled, padded with zeros to the vector
// width, transposed; and the way back for gradients.
#pragma once

#include "framework/kernels/simd/rotation.hpp"
#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

/// Rows of one head of an array [B, T, H, d]: row i starts at data + i * stride.
template <class T>
struct HeadRows {
  T* data;
  Index stride;
};

template <class T>
inline HeadRows<T> rows_of(T* array, HeadStrides strides, Index batch, Index head) {
  return {array + batch * strides.batch + head * strides.head, strides.position};
}

/// Calls copy(c, lanes, map) for the row's vectors; map(x, position) turns elements c… if they are interleaved pairs.
template <class T, class Copy>
inline void for_turned_vectors(Index width, const Turns<T>& turns, T direction, Copy copy) {
  for_vectors<T>(width, [&](Index c, auto lanes) {
    if (turns.interleaved() && c < turns.turning()) {
      copy(c, lanes, [&](Vector<T> x, Index position) { return turns.turned(x, position, c, direction); });
    } else {
      copy(c, lanes, [](Vector<T> x, Index) { return x; });
    }
  });
}

// Both ways walk down one column of vectors after the other: rows are short, and a loop over each would cost more than the copy.

/// target [rows, padded] = the source's rows times `scale`, turned if there is a rotation, zeros past the width.
template <class T>
inline void pack_rows(HeadRows<const T> source, Range rows, Index width, const Turns<T>& turns, T scale, T* target) {
  const Index padded = round_up_to_lanes<T>(width);
  for_turned_vectors<T>(width, turns, T(1), [&](Index c, auto lanes, auto map) {
    for (Index i = rows.begin; i < rows.end; ++i) {
      store(target + (i - rows.begin) * padded + c, map(load(source.data + i * source.stride + c, lanes) * scale, i));
    }
  });
  turns.turn_halves(target, padded, rows, T(1));
}

/// The way back of `pack_rows`: target rows = source [rows, padded], turned back (perhaps in place), times `scale`.
template <class T>
inline void unpack_rows(T* source, Range rows, Index width, const Turns<T>& turns, T scale, HeadRows<T> target) {
  const Index padded = round_up_to_lanes<T>(width);
  turns.turn_halves(source, padded, rows, T(-1));
  for_turned_vectors<T>(width, turns, T(-1), [&](Index c, auto lanes, auto map) {
    for (Index i = rows.begin; i < rows.end; ++i) {
      store(target.data + i * target.stride + c, map(load(source + (i - rows.begin) * padded + c) * scale, i), lanes);
    }
  });
}

/// target [width, stride] = transpose of source [rows, padded], zeros from column `rows` up to the vector width.
template <class T>
inline void pack_transposed(const T* source, Index rows, Index width, T* target, Index stride) {
  constexpr Index lanes = kLanes<T>;
  const Index padded = round_up_to_lanes<T>(width);
  for (Index r = 0; r < rows; r += lanes) {
    for (Index c = 0; c < width; c += lanes) {
      Vector<T> tile[lanes];
      for (Index i = 0; i < lanes; ++i) tile[i] = r + i < rows ? load(source + (r + i) * padded + c) : Vector<T>{};
      transpose<T>(tile);
      for (Index i = 0; i < lanes && c + i < width; ++i) store(target + (c + i) * stride + r, tile[i]);
    }
  }
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
