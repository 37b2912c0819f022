// What the ops that multiply rows by a weight share: tensors as the matrices that the kernels read, and gradients left in place.
#pragma once

#include "framework/core/autograd.hpp"
#include "framework/kernels/gemm.hpp"

namespace ropewalk {

/// The last two axes of a tensor as a matrix, `offset` elements into its storage.
template <class T, class U = T>
kernels::Matrix<U> matrix(const Tensor& x, Index offset = 0) {
  const std::size_t last = x.shape().size() - 1;
  return {x.data<T>() + offset, x.dim(-2), x.dim(-1), x.strides()[last - 1], x.strides()[last]};
}

/// [.., D] as [rows, D], row-major.
Tensor as_rows(const Tensor& x);

/// activation(rows weightᵀ + bias) + residual as rows, not recorded: rows [R, in], weight [out, in]; bias [out] and residual
/// [.., out] may be undefined.
Tensor product(const Tensor& rows, const Tensor& weight, const Tensor& bias, kernels::Activation activation,
               const Tensor& residual);

/// Leaves a b as the gradient of an input.
template <class T>
void leave_product(Flow& flow, std::size_t input, kernels::Matrix<const T> a, kernels::Matrix<const T> b) {
  if (!flow.wanted(input)) return;
  const Destination target = flow.destination(input);
  kernels::Epilogue<T> epilogue;
  epilogue.accumulate = target.adds;
  kernels::gemm(a, b, matrix<T>(as_rows(target.tensor)), epilogue);
}

/// Leaves the sum of the rows as the gradient of an input.
template <class T>
void leave_column_sum(Flow& flow, std::size_t input, const Tensor& rows) {
  if (!flow.wanted(input)) return;
  const Destination target = flow.destination(input);
  kernels::table<T>().column_sum(rows.data<T>(), target.tensor.data<T>(), rows.dim(0), rows.dim(1), target.adds);
}

}  // namespace ropewalk
