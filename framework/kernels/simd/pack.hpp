// Copies of a head's rows in the form that the products of attention read: rotated, scaled, padded with zeros to the vector
// width, transposed; and the way back for gradients.
#pragma once

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

/// Step: from one pair to the next; `apart`: from the first element of a pair to its second.
template <int Step, class T>
inline void rotate_pairs(T* row, const T* cosine, const T* sine, Index pairs, Index apart, T direction) {
#pragma omp simd
  for (Index j = 0; j < pairs; ++j) {
    const T a = row[j * Step], b = row[j * Step + apart], s = direction * sine[j];
    row[j * Step] = a * cosine[j] - b * s;
    row[j * Step + apart] = a * s + b * cosine[j];
  }
}

/// Rotates the pairs of one row in place: (a, b) -> (a cos - b sin, a sin + b cos); `direction` -1 turns back.
template <class T>
inline void rotate_row(T* row, const Rotation<T>& rotation, Index position, T direction) {
  const T* cosine = rotation.cosine + position * rotation.pairs;
  const T* sine = rotation.sine + position * rotation.pairs;
  if (rotation.interleaved) {
    rotate_pairs<2>(row, cosine, sine, rotation.pairs, Index{1}, direction);
  } else {
    rotate_pairs<1>(row, cosine, sine, rotation.pairs, rotation.pairs, direction);
  }
}

/// target [rows, padded] = the source's rows, rotated if there is a rotation, times `scale`, zeros past the width.
template <class T>
inline void pack_rows(HeadRows<const T> source, Range rows, Index width, const Rotation<T>& rotation, T scale, T* target) {
  const Index padded = round_up_to_lanes<T>(width);
  for (Index i = rows.begin; i < rows.end; ++i, target += padded) {
    const T* row = source.data + i * source.stride;
    for_vectors<T>(width, [&](Index c, auto lanes) { store(target + c, load(row + c, lanes) * scale); });
    if (rotation.cosine) rotate_row(target, rotation, i, T(1));
  }
}

/// The way back of `pack_rows`: target rows = source [rows, padded] times `scale`, turned back.
template <class T>
inline void unpack_rows(const T* source, Range rows, Index width, const Rotation<T>& rotation, T scale, HeadRows<T> target) {
  const Index padded = round_up_to_lanes<T>(width);
  for (Index i = rows.begin; i < rows.end; ++i, source += padded) {
    T* row = target.data + i * target.stride;
    for_vectors<T>(width, [&](Index c, auto lanes) { store(row + c, load(source + c) * scale, lanes); });
    if (rotation.cosine) rotate_row(row, rotation, i, T(-1));
  }
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
