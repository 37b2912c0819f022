// Matrix multiplication.
#pragma once

#include "framework/core/autograd.hpp"
#include "framework/kernels/gemm.hpp"

namespace ropewalk {

/// [.., M, K] [.., K, N] -> [.., M, N]; leading axes broadcast. Transposed operands are not copied.
Tensor matmul(const Tensor& a, const Tensor& b);

using kernels::Activation;

/// activation(x weightᵀ + bias): x [.., in], weight [out, in], bias [out] or undefined -> [.., out].
/// One call into the matrix library when nothing is recorded.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation = Activation::none);

}  // namespace ropewalk
