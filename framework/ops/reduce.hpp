// Reductions over axes.
#pragma once

#include <vector>

#include "framework/core/autograd.hpp"

namespace ropewalk {

/// Over the given axes (negative ones count from the end), or over all if none are given. Reduced axes stay with extent 1 if
/// `keep`, else they go.
Tensor sum(const Tensor& x, std::vector<int> axes = {}, bool keep = false);
/// Throws if there is nothing to take the mean of.
Tensor mean(const Tensor& x, std::vector<int> axes = {}, bool keep = false);
/// Largest element along one axis; the gradient goes to the first of equals.
Tensor maximum(const Tensor& x, int axis, bool keep = false);

}  // namespace ropewalk
