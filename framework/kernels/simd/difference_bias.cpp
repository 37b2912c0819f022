// Biases that are the difference of a value of the query and a value of the key.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

template <class T>
void add_difference_bias(const double* of_queries, const double* of_keys, Range queries, Range keys, T* scores, Index stride) {
  const double* block_queries = of_queries + queries.begin;
  for (Index j = 0; j < keys.size(); ++j, scores += stride) {
    const double of_key = of_keys[keys.begin + j];
#pragma omp simd
    for (Index i = 0; i < queries.size(); ++i) scores[i] += static_cast<T>(block_queries[i] - of_key);
  }
}

namespace {

/// sums += row; returns the lanes' totals of the row.
template <class T>
Vector<double> add_row(const T* row, Index n, double* sums) {
  Vector<double> total{};
  for_vectors<double>(n, [&](Index i, auto lanes) {
    const Vector<double> v = load_widened(row + i, lanes);
    store(sums + i, load(sums + i, lanes) + v, lanes);
    total += v;
  });
  return total;
}

}  // namespace

// In double from the first addition on: the gradients of a query's scores add up to 0, and what rounding leaves of them would
// be cumulated over the whole sequence.
template <class T>
void collect_difference_bias(double* dof_queries, double* dof_keys, Range queries, Range keys, const T* dscores, Index stride) {
  constexpr Index most = kLanes<double>;
  for_vectors<double>(keys.size(), [&](Index j, auto lanes) {
    const Index left = keys.size() - j, count = left < most ? left : most;
    Vector<double> rows[most] = {};
    for (Index r = 0; r < count; ++r) rows[r] = add_row(dscores + (j + r) * stride, queries.size(), dof_queries + queries.begin);
    double* target = dof_keys + keys.begin + j;
    store(target, load(target, lanes) - sums_across<double>(rows), lanes);
  });
}

template void add_difference_bias(const double*, const double*, Range, Range, float*, Index);
template void add_difference_bias(const double*, const double*, Range, Range, double*, Index);
template void collect_difference_bias(double*, double*, Range, Range, const float*, Index);
template void collect_difference_bias(double*, double*, Range, Range, const double*, Index);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
