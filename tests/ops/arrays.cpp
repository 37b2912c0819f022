#include "tests/ops/arrays.hpp"

#include <cmath>
#include <numbers>

namespace ropewalk::naive {
namespace {

/// The next index in row-major order.
void advance(Shape& index, const Shape& shape) {
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) return;
    index[axis] = 0;
  }
}

}  // namespace

double Array::at(const Shape& index) const {
  const std::size_t lead = index.size() - shape.size();
  Index flat = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    flat = flat * shape[axis] + (shape[axis] == 1 ? 0 : index[lead + axis]);
  }
  return values.at(static_cast<std::size_t>(flat));
}

Array of(const Tensor& x) { return {x.shape(), x.values()}; }
Tensor tensor(const Array& x, Type type) { return Tensor::of(x.values, x.shape, type); }

Array build(const Shape& shape, const std::function<double(const Shape&)>& element) {
  Array result{shape, {}};
  Shape index(shape.size(), 0);
  for (Index i = 0; i < size_of(shape); ++i, advance(index, shape)) result.values.push_back(element(index));
  return result;
}

Array map(const Array& x, const std::function<double(double)>& function) {
  return build(x.shape, [&](const Shape& index) { return function(x.at(index)); });
}

Array combine(const Array& a, const Array& b, const std::function<double(double, double)>& function) {
  const Shape shape = broadcast_shape(a.shape, b.shape, "naive");
  return build(shape, [&](const Shape& index) { return function(a.at(index), b.at(index)); });
}

Array fold(const Array& x, std::size_t axis, const std::function<double(const std::vector<double>&)>& function) {
  Shape shape = x.shape;
  shape[axis] = 1;
  return build(shape, [&](Shape index) {
    std::vector<double> line;
    for (index[axis] = 0; index[axis] < x.shape[axis]; ++index[axis]) line.push_back(x.at(index));
    return function(line);
  });
}

Array rows(const Array& x, const std::function<std::vector<double>(const std::vector<double>&)>& function) {
  return build(x.shape, [&](Shape index) {
    const auto column = static_cast<std::size_t>(index.back());
    std::vector<double> line;
    for (index.back() = 0; index.back() < x.shape.back(); ++index.back()) line.push_back(x.at(index));
    return function(line).at(column);
  });
}

Array matmul(const Array& a, const Array& b) {
  const auto batch = [](const Array& x) { return Shape(x.shape.begin(), x.shape.end() - 2); };
  Shape shape = broadcast_shape(batch(a), batch(b), "naive");
  shape.push_back(a.shape[a.shape.size() - 2]);
  shape.push_back(b.shape.back());
  return build(shape, [&](const Shape& index) {
    const std::size_t last = index.size() - 1;
    Shape left = index, right = index;
    double sum = 0;
    for (Index k = 0; k < a.shape.back(); ++k) {
      left[last] = right[last - 1] = k;
      sum += a.at(left) * b.at(right);
    }
    return sum;
  });
}

Array reshaped(const Array& x, const Shape& shape) { return {shape, x.values}; }

Array permuted(const Array& x, const std::vector<int>& order) {
  Shape shape;
  for (int axis : order) shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
  return build(shape, [&](const Shape& index) {
    Shape from(index.size());
    for (std::size_t i = 0; i < order.size(); ++i) from[static_cast<std::size_t>(order[i])] = index[i];
    return x.at(from);
  });
}

double log_sum_exp(const std::vector<double>& row) {
  double largest = -INFINITY, sum = 0;
  for (double x : row) largest = std::max(largest, x);
  for (double x : row) sum += std::exp(x - largest);
  return largest + std::log(sum);
}

std::vector<double> softmax(const std::vector<double>& row) {
  std::vector<double> result;
  for (double x : row) result.push_back(std::exp(x - log_sum_exp(row)));
  return result;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double silu(double x) { return x * sigmoid(x); }
double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); }
double gelu_tanh(double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))); }

}  // namespace ropewalk::naive
