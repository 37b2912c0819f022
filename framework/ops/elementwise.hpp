// Element-wise operations; two operands broadcast as in NumPy.
#pragma once

#include "framework/core/autograd.hpp"

namespace ropewalk {

Tensor add(const Tensor& a, const Tensor& b);
Tensor subtract(const Tensor& a, const Tensor& b);
Tensor multiply(const Tensor& a, const Tensor& b);
Tensor divide(const Tensor& a, const Tensor& b);
/// x times a constant.
Tensor scale(const Tensor& x, double factor);

Tensor negate(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);
/// log(sigmoid(x)), exact where sigmoid is close to 0 or 1
Tensor log_sigmoid(const Tensor& x);
Tensor relu(const Tensor& x);
/// x sigmoid(x)
Tensor silu(const Tensor& x);
/// x Φ(x), with the exact normal distribution function (Hendrycks and Gimpel 2016)
Tensor gelu(const Tensor& x);
/// The same with its tanh approximation
Tensor gelu_tanh(const Tensor& x);
Tensor square_root(const Tensor& x);
/// x kept within [low, high]; no gradient flows where it is outside.
Tensor clamp(const Tensor& x, double low, double high);

}  // namespace ropewalk
