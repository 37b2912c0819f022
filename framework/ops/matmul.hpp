// Matrix multiplication.
#pragma once

#include "framework/core/autograd.hpp"

namespace ropewalk {

/// [.., M, K] [.., K, N] -> [.., M, N]; leading axes broadcast. Transposed operands are not copied.
Tensor matmul(const Tensor& a, const Tensor& b);

/// x weightᵀ + bias + residual: x [.., in], weight [out, in] -> [.., out]; bias [out] and residual, shaped like the result, may
/// be undefined. One call into the matrix library.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const Tensor& residual = {});

}  // namespace ropewalk
