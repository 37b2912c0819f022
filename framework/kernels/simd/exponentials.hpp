// What softmax, cross-entropy and attention share: the exponentials of a row, relative to its maximum.
#pragma once

#include <limits>

#include "framework/kernels/simd/math.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

template <class T>
constexpr T kInfinity = std::numeric_limits<T>::infinity();

/// Largest element that is a number; -infinity if there is none. A NaN is not lost: its exponential is one.
template <class T>
inline T row_maximum(const T* x, Index n) {
  Vector<T> best = broadcast(-kInfinity<T>);
  for_vectors<T>(n, [&](Index i, auto lanes) { best = larger(load(x + i, lanes, -kInfinity<T>), best); });
  return maximum_across<T>(best);
}

/// The amount to subtract before exp: 0 for a row of -infinity alone, whose exponentials are then 0 instead of NaN.
template <class T>
inline T finite_shift(T maximum) {
  return maximum == -kInfinity<T> ? T(0) : maximum;
}

/// Calls body(i, e, lanes) with e = exp(x[i…] - shift), and returns the sum of all e; lanes past the end count 0.
template <class T, class Body>
inline Vector<T> exponentials(const T* x, Index n, T shift, Body body) {
  Vector<T> total{};
  for_vectors<T>(n, [&](Index i, auto lanes) {
    const Vector<T> e = exp(load(x + i, lanes, -kInfinity<T>) - shift);
    total += e;
    body(i, e, lanes);
  });
  return total;
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
