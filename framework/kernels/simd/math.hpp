// exp, tanh, sigmoid and the normal distribution function on a vector.
//
// float: branch-free polynomials, fitted by weighted least squares to the smallest largest relative error (Lawson's method).
// double: the C library, lane by lane: double is for checks, where exactness counts and speed does not.
// NaN stays NaN.
#pragma once

#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

template <class V, class Function>
inline V each_lane(V x, Function function) {
  for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i) x[i] = function(x[i]);
  return x;
}

/// c[0] + c[1] x + c[2] x^2 + …
template <class V, class T, unsigned N>
inline V polynomial(V x, const T (&c)[N]) {
  V sum = x * c[N - 1] + c[N - 2];
#pragma GCC unroll 16
  for (int i = static_cast<int>(N) - 3; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

/// Within 2 units in the last place; 0 where exp(x) < 2e-38 (no subnormal results), infinity where it overflows; exp(0) = 1.
inline Vector<float> exp(Vector<float> x) {
  // x = n ln 2 + r, |r| <= ln 2 / 2. Adding `shift` rounds to n and leaves n + 126 in the low bits: the exponent of 2^(n-1).
  // The polynomial is 2 exp(r), so that n = 128 needs no exponent that float lacks.
  constexpr float shift = 0x1.8p23f + 126;
  constexpr float log2e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  constexpr float twice_exp[] = {2, 2, 0.99999986746f, 0.33333039042f, 0.0833368022f, 0.01673770286f, 0.0027628642f};
  const Vector<float> bounded = x > 89.f ? broadcast(89.f) : x;
  const Vector<float> shifted = bounded * log2e + shift;
  const Vector<float> n = shifted - shift;
  const Vector<float> r = (bounded - n * ln2_high) - n * ln2_low;
  const Vector<float> scale = (Vector<float>)((VectorOf<float>::Bits)shifted << 23);
  const Vector<float> result = polynomial(r, twice_exp) * scale;
  return x < -86.9f ? Vector<float>{} : result;
}

inline Vector<double> exp(Vector<double> x) {
  return each_lane(x, [](double v) { return __builtin_exp(v); });
}

inline float logarithm_of(float x) { return __builtin_logf(x); }
inline double logarithm_of(double x) { return __builtin_log(x); }

template <class V>
inline V sigmoid(V x) {
  return 1 / (1 + exp(-x));
}

/// Within 4 units in the last place.
inline Vector<float> tanh(Vector<float> x) {
  constexpr float odd[] = {-0.33333278058f, 0.13331330982f, -0.05373000544f, 0.02060617102f, -0.00566697074f};
  const Vector<float> square = x * x;
  const Vector<float> near = x + x * square * polynomial(square, odd);
  const Vector<float> size = x < 0.f ? -x : x;
  const Vector<float> tail = 1 - 2 / (exp(size + size) + 1);
  const Vector<float> far = x < 0.f ? -tail : tail;
  return size < 0.625f ? near : far;
}

inline Vector<double> tanh(Vector<double> x) {
  return each_lane(x, [](double v) { return __builtin_tanh(v); });
}

template <class V>
struct Normal {
  V density;       ///< exp(-x^2/2) / sqrt(2 pi)
  V distribution;  ///< (1 + erf(x / sqrt 2)) / 2
};

constexpr double kInverseSqrt2Pi = 0.39894228040143267794;

/// Distribution within 2e-7 absolute, its lower tail within 1e-6 relative for x > -5.
inline Normal<Vector<float>> normal(Vector<float> x) {
  // P(X < -z) = exp(-z^2/2) R(z): the ratio R is smooth, close to 1 / (z sqrt(2 pi)) for large z, and a polynomial in
  // t = 1 / (1 + 0.3 z) follows it to 1.5e-7 relative over z in [0, 14].
  constexpr float ratio[] = {0.11962930139f,  0.12075391761f, 0.09991372559f, 0.12856086038f,
                             -0.05368228613f, 0.20635209489f, -0.1572023049f, 0.03567459838f};
  const Vector<float> size = x < 0.f ? -x : x;
  const Vector<float> t = 1 / (1 + 0.3f * size);
  const Vector<float> bell = exp(x * x * -0.5f);
  const Vector<float> tail = bell * (t * polynomial(t, ratio));
  return {bell * static_cast<float>(kInverseSqrt2Pi), x < 0.f ? tail : 1 - tail};
}

inline Normal<Vector<double>> normal(Vector<double> x) {
  constexpr double inverse_sqrt2 = 0.70710678118654752440;
  return {exp(x * x * -0.5) * kInverseSqrt2Pi, each_lane(x, [](double v) { return 0.5 * __builtin_erfc(v * -inverse_sqrt2); })};
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
