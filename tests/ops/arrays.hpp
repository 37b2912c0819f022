// Plain arrays and the slowest, most obvious form of every operation on them: one element at a time, nothing shared with the
// engine but the shape type. What the operations are held against.
#pragma once

#include <functional>
#include <vector>

#include "framework/core/tensor.hpp"

namespace ropewalk::naive {

struct Array {
  Shape shape;
  std::vector<double> values;  ///< row-major

  /// An index along every axis; an axis of extent 1 repeats.
  double at(const Shape& index) const;
};

using Arrays = std::vector<Array>;

Array of(const Tensor& x);
Tensor tensor(const Array& x, Type type);

/// An array whose element at every index is `element(index)`.
Array build(const Shape& shape, const std::function<double(const Shape& index)>& element);

Array map(const Array& x, const std::function<double(double)>& function);
Array combine(const Array& a, const Array& b, const std::function<double(double, double)>& function);
/// `function` of all elements along an axis (not negative); the axis stays with extent 1.
Array fold(const Array& x, std::size_t axis, const std::function<double(const std::vector<double>&)>& function);
/// `function` of each row along the last axis, giving a row of the same length.
Array rows(const Array& x, const std::function<std::vector<double>(const std::vector<double>&)>& function);
Array matmul(const Array& a, const Array& b);
Array reshaped(const Array& x, const Shape& shape);
Array permuted(const Array& x, const std::vector<int>& order);

std::vector<double> softmax(const std::vector<double>& row);
double log_sum_exp(const std::vector<double>& row);

double sigmoid(double x);
double silu(double x);
double gelu(double x);
double gelu_tanh(double x);

}  // namespace ropewalk::naive
