// What softmax, cross-entropy and attention share: exponentials of scores relative to their maximum.
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

template <class T>
inline Vector<T> finite_shifts(Vector<T> maximum) {
  return maximum == -kInfinity<T> ? Vector<T>{} : maximum;
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

/// exp(x) for x that rounding at most brings above 0, as differences from a maximum are: two multiply-adds and a bound fewer than
/// `exp`, within 2e-7 + 2e-8 |x| relative. 0 for x < -87, 1 for 0, NaN for NaN.
inline Vector<float> exp_below_zero(Vector<float> x) {
  // 2^t = 2^n 2^r, |r| <= 1/2. Adding `shift` rounds t to n and leaves n + 127 in the low bits, the exponent of 2^n.
  constexpr float shift = 0x1.8p23f + 127, log2e = 1.44269504f;
  constexpr float exp2[] = {1, 0.693147004f, 0.240222424f, 0.0555073358f, 0.00967151299f, 0.00132647273f};
  const Vector<float> t = x * log2e;
  const Vector<float> shifted = t + shift;
  const Vector<float> scale = (Vector<float>)((VectorOf<float>::Bits)shifted << 23);
  const Vector<float> result = polynomial(t - (shifted - shift), exp2) * scale;
  return x < -87.f ? Vector<float>{} : result;
}

inline Vector<double> exp_below_zero(Vector<double> x) { return exp(x); }

/// log(x) for x >= 1, as sums of exponentials relative to their maximum are, within 1e-7 absolute or relative; NaN for NaN.
inline Vector<float> log_above_one(Vector<float> x) {
  // x = 2^n (1 + f), 1 + f in [sqrt(1/2), sqrt(2)): the integer difference to sqrt(1/2) has n in its upper bits.
  using Bits = VectorOf<float>::Bits;
  constexpr std::uint32_t sqrt_half = 0x3f3504f3;
  constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  constexpr float cubic[] = {0.333339095f, -0.250013381f, 0.199630633f, -0.16577585f, 0.149147674f, -0.142674893f, 0.0870043859f};
  const Bits bits = (Bits)x, exponent = (bits - sqrt_half) >> 23;
  const Vector<float> n = __builtin_convertvector(exponent, Vector<float>);
  const Vector<float> f = (Vector<float>)(bits - (exponent << 23)) - 1;
  const Vector<float> square = f * f;
  const Vector<float> result = n * ln2_high + (f + (square * f * polynomial(f, cubic) - square * 0.5f + n * ln2_low));
  return x < kInfinity<float> ? result : x;
}

inline Vector<double> log_above_one(Vector<double> x) {
  return each_lane(x, [](double v) { return __builtin_log(v); });
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
