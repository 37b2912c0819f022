// Sums and maxima over rows and columns.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

/// Sum of term(i, lanes) over a vector's width at a time, in four interleaved sums: one alone would wait for each addition.
template <class T, class Term>
T interleaved_sum(Index n, Term term) {
  constexpr Index width = kLanes<T>;
  Vector<T> parts[4] = {};
  Index i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
#pragma GCC unroll 4
    for (int part = 0; part < 4; ++part) parts[part] += term(i + part * width, AllLanes{});
  }
  for_vectors<T>(n - i, [&](Index j, auto lanes) { parts[0] += term(i + j, lanes); });
  return sum_across<T>((parts[0] + parts[1]) + (parts[2] + parts[3]));
}

}  // namespace

template <class T>
T sum(const T* x, Index n) {
  return interleaved_sum<T>(n, [&](Index i, auto lanes) { return load(x + i, lanes); });
}

template <class T>
T maximum(const T* x, Index n) {
  const auto larger_or_nan = [](Vector<T> best, Vector<T> v) { return best > v || best != best ? best : v; };
  Vector<T> best = broadcast(x[0]);
  for_vectors<T>(n, [&](Index i, auto lanes) { best = larger_or_nan(best, load(x + i, lanes, x[0])); });
  return across<T>(best, larger_or_nan);
}

template <class T>
double sum_of_squares(const T* x, Index n) {
  return interleaved_sum<double>(n, [&](Index i, auto lanes) {
    const Vector<double> v = load_widened(x + i, lanes);
    return v * v;
  });
}

template <class T>
void column_sum(const T* x, T* y, Index rows, Index columns, bool accumulate) {
  constexpr int strip = 4;  // vectors of sums that stay in registers
  constexpr Index width = strip * kLanes<T>;
  Index c = 0;
  for (; c + width <= columns; c += width) {
    Vector<T> sums[strip] = {};
    for (Index r = 0; r < rows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < strip; ++v) sums[v] += load(x + r * columns + c + v * kLanes<T>);
    }
    for (int v = 0; v < strip; ++v) {
      T* target = y + c + v * kLanes<T>;
      store(target, accumulate ? load(target) + sums[v] : sums[v]);
    }
  }
  for_vectors<T>(columns - c, [&](Index i, auto lanes) {
    Vector<T> total{};
    for (Index r = 0; r < rows; ++r) total += load(x + r * columns + c + i, lanes);
    store(y + c + i, accumulate ? load(y + c + i, lanes) + total : total, lanes);
  });
}

template float sum(const float*, Index);
template double sum(const double*, Index);
template float maximum(const float*, Index);
template double maximum(const double*, Index);
template double sum_of_squares(const float*, Index);
template double sum_of_squares(const double*, Index);
template void column_sum(const float*, float*, Index, Index, bool);
template void column_sum(const double*, double*, Index, Index, bool);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
