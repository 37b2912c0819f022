// softmax and log-softmax of rows, with their gradients. A row of -infinity alone is fully masked: weights and gradients 0.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/exponentials.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

template <class T>
void softmax_row(const T* x, T* y, Index n) {
  const T shift = finite_shift(row_maximum(x, n));
  const T total = sum_across<T>(exponentials(x, n, shift, [&](Index i, Vector<T> e, auto lanes) { store(y + i, e, lanes); }));
  const T factor = total == 0 ? T(0) : 1 / total;
  for_vectors<T>(n, [&](Index i, auto lanes) { store(y + i, load(y + i, lanes) * factor, lanes); });
}

template <class T>
void log_softmax_row(const T* x, T* y, Index n) {
  const T shift = finite_shift(row_maximum(x, n));
  const T total = sum_across<T>(exponentials(x, n, shift, [](Index, Vector<T>, auto) {}));
  const T logarithm = total == 0 ? T(0) : logarithm_of(total);
  for_vectors<T>(n, [&](Index i, auto lanes) { store(y + i, (load(x + i, lanes) - shift) - logarithm, lanes); });
}

/// dx = y (dy - sum(y dy)).
template <class T>
void softmax_gradient_row(const T* y, const T* dy, T* dx, Index n) {
  Vector<T> products{};
  for_vectors<T>(n, [&](Index i, auto lanes) { products += load(y + i, lanes) * load(dy + i, lanes); });
  const T dot = sum_across<T>(products);
  for_vectors<T>(n, [&](Index i, auto lanes) { store(dx + i, load(y + i, lanes) * (load(dy + i, lanes) - dot), lanes); });
}

/// dx = dy - exp(y) sum(dy).
template <class T>
void log_softmax_gradient_row(const T* y, const T* dy, T* dx, Index n) {
  const T mass = sum_across<T>(exponentials(y, n, T(0), [](Index, Vector<T>, auto) {}));
  const T seen = mass == 0 ? T(0) : T(1);
  const T total = sum(dy, n);
  for_vectors<T>(
      n, [&](Index i, auto lanes) { store(dx + i, seen * (load(dy + i, lanes) - exp(load(y + i, lanes)) * total), lanes); });
}

}  // namespace

template <class T>
void softmax(const T* x, T* y, Index rows, Index columns, bool logarithm) {
  const auto row = logarithm ? log_softmax_row<T> : softmax_row<T>;
  for (Index r = 0; r < rows; ++r) row(x + r * columns, y + r * columns, columns);
}

template <class T>
void softmax_gradient(const T* y, const T* dy, T* dx, Index rows, Index columns, bool logarithm) {
  const auto row = logarithm ? log_softmax_gradient_row<T> : softmax_gradient_row<T>;
  for (Index r = 0; r < rows; ++r) row(y + r * columns, dy + r * columns, dx + r * columns, columns);
}

template void softmax(const float*, float*, Index, Index, bool);
template void softmax(const double*, double*, Index, Index, bool);
template void softmax_gradient(const float*, const float*, float*, Index, Index, bool);
template void softmax_gradient(const double*, const double*, double*, Index, Index, bool);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
