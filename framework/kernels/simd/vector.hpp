// The widest vectors of the instruction set this file is compiled for, and loops over arrays in steps of one vector.
//
// Everything in this folder lives in a namespace named after the instruction set: an inline function or template with a name
// shared between the compilations would let the linker keep the AVX-512 body for a processor that has none.
#pragma once

#include <cstdint>
#include <utility>

#include "framework/kernels/kernels.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

template <class T>
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

template <class T>
struct VectorOf;

template <>
struct VectorOf<float> {
  typedef float Type __attribute__((vector_size(kVectorBytes)));
  typedef float Unaligned __attribute__((vector_size(kVectorBytes), aligned(alignof(float)), may_alias));
  typedef std::uint32_t Bits __attribute__((vector_size(kVectorBytes)));
};

template <>
struct VectorOf<double> {
  typedef double Type __attribute__((vector_size(kVectorBytes)));
  typedef double Unaligned __attribute__((vector_size(kVectorBytes), aligned(alignof(double)), may_alias));
};

template <class T>
using Vector = typename VectorOf<T>::Type;

/// Which lanes of a vector an array still fills: all, or the first `count`.
struct AllLanes {};
struct FirstLanes {
  Index count;
};

template <class T>
inline Vector<T> broadcast(T x) {
  return x - Vector<T>{};
}

template <class T>
inline Vector<T> load(const T* x, AllLanes = {}, T /*fill*/ = 0) {
  return *reinterpret_cast<const typename VectorOf<T>::Unaligned*>(x);
}

template <class T>
inline Vector<T> load(const T* x, FirstLanes lanes, T fill = 0) {
  Vector<T> v = broadcast(fill);
  for (Index i = 0; i < lanes.count; ++i) v[i] = x[i];
  return v;
}

template <class T>
inline void store(T* x, Vector<T> v, AllLanes = {}) {
  *reinterpret_cast<typename VectorOf<T>::Unaligned*>(x) = v;
}

template <class T>
inline void store(T* x, Vector<T> v, FirstLanes lanes) {
  for (Index i = 0; i < lanes.count; ++i) x[i] = v[i];
}

/// `kLanes<double>` elements, widened.
template <class T>
inline Vector<double> load_widened(const T* x, AllLanes = {}) {
  Vector<double> wide;
  for (int i = 0; i < kLanes<double>; ++i) wide[i] = x[i];
  return wide;
}

template <class T>
inline Vector<double> load_widened(const T* x, FirstLanes lanes) {
  T narrow[kLanes<double>] = {};
  const Index count = lanes.count;
  for (Index i = 0; i < count; ++i) narrow[i] = x[i];
  return load_widened(narrow);
}

/// Calls body(i, lanes) for i = 0, W, 2W … < n, W the vector width. An element passes through the same vector code whatever its
/// address and index, so results depend on neither.
template <class T, class Body>
inline void for_vectors(Index n, Body body) {
  Index i = 0;
  for (; i + kLanes<T> <= n; i += kLanes<T>) body(i, AllLanes{});
  if (i < n) body(i, FirstLanes{n - i});
}

template <class T>
constexpr Index round_up_to_lanes(Index n) {
  return (n + kLanes<T> - 1) / kLanes<T> * kLanes<T>;
}

/// NaN in `a` gives `b`; NaN in `b` gives NaN.
template <class V>
inline V larger(V a, V b) {
  return a > b ? a : b;
}

template <class T, int Step, int... Lane>
inline Vector<T> rotated(Vector<T> v, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(v, v, ((Lane + Step) % kLanes<T>)...);
}

/// a[first], b[first], a[first + 1], b[first + 1] …
template <class T, int First, int... Lane>
inline Vector<T> interleaved(Vector<T> a, Vector<T> b, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(a, b, (First + Lane / 2 + Lane % 2 * kLanes<T>)...);
}

/// Transposes a square tile: each round deals the rows of its two halves into each other, and log2 of the width rounds turn
/// row and column around.
template <class T>
inline void transpose(Vector<T> (&rows)[kLanes<T>]) {
  constexpr int width = kLanes<T>;
  constexpr std::make_integer_sequence<int, width> lanes;
#pragma GCC unroll 4
  for (int round = 1; round < width; round *= 2) {
    Vector<T> dealt[width];
#pragma GCC unroll 8
    for (int i = 0; i < width / 2; ++i) {
      dealt[2 * i] = interleaved<T, 0>(rows[i], rows[i + width / 2], lanes);
      dealt[2 * i + 1] = interleaved<T, width / 2>(rows[i], rows[i + width / 2], lanes);
    }
#pragma GCC unroll 16
    for (int i = 0; i < width; ++i) rows[i] = dealt[i];
  }
}

/// Lane i is the sum across rows[i]: the rounds of a transposition, each halving the rows by adding what it deals.
template <class T>
inline Vector<T> sums_across(Vector<T> (&rows)[kLanes<T>]) {
  constexpr int width = kLanes<T>;
  constexpr std::make_integer_sequence<int, width> lanes;
#pragma GCC unroll 4
  for (int half = width / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < half; ++i) {
      rows[i] = interleaved<T, 0>(rows[i], rows[i + half], lanes) + interleaved<T, width / 2>(rows[i], rows[i + half], lanes);
    }
  }
  return rows[0];
}

/// Combines all lanes in a fixed tree.
template <class T, int Step = kLanes<T> / 2, class Combine>
inline T across(Vector<T> v, Combine combine) {
  if constexpr (Step == 0) {
    return v[0];
  } else {
    v = combine(v, rotated<T, Step>(v, std::make_integer_sequence<int, kLanes<T>>{}));
    return across<T, Step / 2>(v, combine);
  }
}

template <class T>
inline T sum_across(Vector<T> v) {
  return across<T>(v, [](Vector<T> a, Vector<T> b) { return a + b; });
}

template <class T>
inline T maximum_across(Vector<T> v) {
  return across<T>(v, [](Vector<T> a, Vector<T> b) { return larger(a, b); });
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
