// Sums along an axis that keep every step.
#pragma once

#include "framework/core/autograd.hpp"

namespace ropewalk {

/// y[t] = x[0] + … + x[t] along one axis (negative ones count from the end), summed in double and rounded once per element.
Tensor cumulative_sum(const Tensor& x, int axis);

}  // namespace ropewalk
