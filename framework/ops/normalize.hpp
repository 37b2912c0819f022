// Normalisation over the last axis.
#pragma once

#include "framework/core/autograd.hpp"

namespace ropewalk {

/// (x − mean) / √(variance + epsilon) · weight + bias (Ba, Kiros, Hinton 2016); weight and bias [D].
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon = 1e-5);
/// x / √(mean of squares + epsilon) · weight (Zhang and Sennrich 2019); weight [D].
Tensor rms_norm(const Tensor& x, const Tensor& weight, double epsilon = 1e-5);

}  // namespace ropewalk
