// Operations that choose elements by an index or a mask.
#pragma once

#include "framework/core/autograd.hpp"
#include "framework/core/random.hpp"

namespace ropewalk {

/// Picks along an axis: the axis of x is replaced by the axes of `indices` (i32). Throws on an index outside the axis.
Tensor gather(const Tensor& x, int axis, const Tensor& indices);
/// Picks along the last axis, other elements in each row: x [.., R], indices i32 [.., N] -> [.., N]. Throws on an index outside.
Tensor pick(const Tensor& x, const Tensor& indices);
/// Rows of a table: table [V, D], tokens i32 [..] -> [.., D].
Tensor embedding(const Tensor& table, const Tensor& tokens);
/// `value` where the mask (i32, broadcasts to x) is not 0.
Tensor masked_fill(const Tensor& x, const Tensor& mask, double value);
/// Each element is 0 with probability p, else divided by 1 − p (Srivastava et al. 2014).
Tensor dropout(const Tensor& x, double p, Stream stream);

}  // namespace ropewalk
