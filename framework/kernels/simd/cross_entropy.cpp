// Cross-entropy of rows of logits with integer targets, and its gradient.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/exponentials.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

template <class T>
T log_sum_exp_row(const T* x, Index n) {
  const T shift = finite_shift(row_maximum(x, n));
  return shift + logarithm_of(sum_across<T>(exponentials(x, n, shift, [](Index, Vector<T>, auto) {})));
}

}  // namespace

template <class T>
void cross_entropy(const T* logits, const std::int32_t* target, T* loss, T* log_sum_exp, Index rows, Index columns) {
  for (Index r = 0; r < rows; ++r) {
    const T* row = logits + r * columns;
    log_sum_exp[r] = log_sum_exp_row(row, columns);
    loss[r] = target[r] < 0 ? T(0) : log_sum_exp[r] - row[target[r]];
  }
}

template <class T>
void cross_entropy_gradient(const T* logits, const std::int32_t* target, const T* log_sum_exp, const T* dloss, T* dlogits,
                            Index rows, Index columns) {
  for (Index r = 0; r < rows; ++r) {
    T* drow = dlogits + r * columns;
    if (target[r] < 0) {
      for (Index c = 0; c < columns; ++c) drow[c] = 0;
      continue;
    }
    exponentials(logits + r * columns, columns, log_sum_exp[r],
                 [&](Index c, Vector<T> e, auto lanes) { store(drow + c, e * dloss[r], lanes); });
    drow[target[r]] -= dloss[r];
  }
}

template void cross_entropy(const float*, const std::int32_t*, float*, float*, Index, Index);
template void cross_entropy(const double*, const std::int32_t*, double*, double*, Index, Index);
template void cross_entropy_gradient(const float*, const std::int32_t*, const float*, const float*, float*, Index, Index);
template void cross_entropy_gradient(const double*, const std::int32_t*, const double*, const double*, double*, Index, Index);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
