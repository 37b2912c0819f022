// Operations that move elements without changing them.
#pragma once

#include <vector>

#include "framework/core/autograd.hpp"

namespace ropewalk {

/// Same elements in row-major order under another shape; one extent may be -1 and is worked out.
Tensor reshape(const Tensor& x, Shape shape);
/// Axis i of the result is axis order[i] of x; copies nothing.
Tensor permute(const Tensor& x, const std::vector<int>& order);
/// Swaps the last two axes; copies nothing.
Tensor transpose(const Tensor& x);
/// Elements begin, begin + step, … below end along an axis; copies nothing.
Tensor slice(const Tensor& x, int axis, Index begin, Index end, Index step = 1);
Tensor concatenate(const Tensors& parts, int axis);
/// Repeats along axes of extent 1, and along new leading axes; copies nothing.
Tensor broadcast_to(const Tensor& x, const Shape& shape);

}  // namespace ropewalk
