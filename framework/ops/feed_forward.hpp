// The feed-forward part of a block as one operation.
#pragma once

#include "framework/core/autograd.hpp"
#include "framework/kernels/gemm.hpp"

namespace ropewalk {

using kernels::Activation;

/// A weight [out, in] and a bias [out], which may be undefined.
struct Affine {
  Tensor weight, bias;
};

/// activation(x upᵀ + b) downᵀ + c + residual: x [.., D], up [F, D], down [D', F] -> [.., D']; the residual, shaped like the
/// result, may be undefined. Of the F hidden values a token only those before the activation are kept: the way back computes
/// the activation again together with its derivative, with which it shares the exponentials.
Tensor feed_forward(const Tensor& x, const Affine& up, const Affine& down, Activation activation, const Tensor& residual = {});

}  // namespace ropewalk
