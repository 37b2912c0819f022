// Rotation of the pairs of a head's rows (rope).
#pragma once

#include "framework/kernels/simd/scratch.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

/// Exchanges lanes 0 and 1, 2 and 3, …
template <class T, int... Lane>
inline Vector<T> neighbours_exchanged(Vector<T> v, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(v, v, (Lane ^ 1)...);
}

/// The rotation of one call. The tables of interleaved pairs are spread over whole vectors: (a, b) -> (a cos - b sin,
/// b cos + a sin) is the row times the cosines, plus the row with its pairs exchanged times the sines, signs included.
template <class T>
class Turns {
 public:
  /// No rotation.
  Turns() = default;

  /// Takes the room for rows 0 … rows - 1.
  Turns(Layout<T>& layout, const Rotation<T>& rotation, Index rows)
      : rotation_(rotation), stride_(round_up_to_lanes<T>(2 * rotation.pairs)) {
    if (!interleaved()) return;
    cosine_ = layout.take(rows * stride_);
    sine_ = layout.take(rows * stride_);
  }

  /// Takes up the tables of a sequence, and spreads these rows of them; to be called once there is memory.
  void prepare(Index batch, Range rows) {
    const Index start = batch * rotation_.batch_stride;
    if (!rotation_.cosine || start == start_) return;
    start_ = start;
    if (!interleaved()) return;
    for (Index i = rows.begin; i < rows.end; ++i) prepare_row(i);
  }

  /// Whether pairs of this many first elements lie side by side.
  bool interleaved() const { return rotation_.cosine && rotation_.interleaved; }
  Index turning() const { return 2 * rotation_.pairs; }

  /// Interleaved: elements c… of the row of a position, turned by its angles, or back if `direction` is -1.
  Vector<T> turned(Vector<T> x, Index position, Index c, T direction) const {
    constexpr std::make_integer_sequence<int, kLanes<T>> lanes;
    const Index at = position * stride_ + c;
    return x * load(cosine_ + at) + direction * load(sine_ + at) * neighbours_exchanged<T>(x, lanes);
  }

  /// Otherwise: turns rows [rows, stride] in place, if there is a rotation; pairs are (j, j + pairs).
  void turn_halves(T* x, Index stride, Range positions, T direction) const {
    if (!rotation_.cosine || rotation_.interleaved) return;
    for (Index i = positions.begin; i < positions.end; ++i, x += stride) turn_halves(x, i, direction);
  }

 private:
  void prepare_row(Index i) const {
    const T* cosine = rotation_.cosine + start_ + i * rotation_.pairs;
    const T* sine = rotation_.sine + start_ + i * rotation_.pairs;
    T* spread_cosine = cosine_ + i * stride_;
    T* spread_sine = sine_ + i * stride_;
    for (Index j = 0; j < rotation_.pairs; ++j) {
      spread_cosine[2 * j] = spread_cosine[2 * j + 1] = cosine[j];
      spread_sine[2 * j] = -sine[j];
      spread_sine[2 * j + 1] = sine[j];
    }
    for (Index c = 2 * rotation_.pairs; c < stride_; ++c) {
      spread_cosine[c] = 1;
      spread_sine[c] = 0;
    }
  }

  void turn_halves(T* row, Index position, T direction) const {
    const Index pairs = rotation_.pairs;
    const T* cosine = rotation_.cosine + start_ + position * pairs;
    const T* sine = rotation_.sine + start_ + position * pairs;
#pragma omp simd
    for (Index j = 0; j < pairs; ++j) {
      const T a = row[j], b = row[j + pairs], s = direction * sine[j];
      row[j] = a * cosine[j] - b * s;
      row[j + pairs] = a * s + b * cosine[j];
    }
  }

  Rotation<T> rotation_;
  Index start_ = -1;  // of the tables of the sequence in hand; -1: of none
  Index stride_ = 0;
  T* cosine_ = nullptr;
  T* sine_ = nullptr;
};

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
