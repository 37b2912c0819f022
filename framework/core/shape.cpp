#include "framework/core/shape.hpp"

#include <algorithm>

#include "framework/core/error.hpp"

namespace ropewalk {

Index size_of(const Shape& shape) {
  Index size = 1;
  for (Index extent : shape) {
    check(!__builtin_mul_overflow(size, extent, &size), "a tensor of shape {} has more elements than can be counted", shape);
  }
  return size;
}

Strides contiguous_strides(const Shape& shape) {
  Strides strides(shape.size());
  Index step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + "]";
}

Shape broadcast_shape(const Shape& a, const Shape& b, const char* operation) {
  Shape result(std::max(a.size(), b.size()));
  for (std::size_t back = 1; back <= result.size(); ++back) {
    const Index in_a = back <= a.size() ? a[a.size() - back] : 1;
    const Index in_b = back <= b.size() ? b[b.size() - back] : 1;
    check(in_a == in_b || in_a == 1 || in_b == 1, "{}: shapes {} and {} do not broadcast: {} against {} on axis -{}", operation,
          a, b, in_a, in_b, back);
    result[result.size() - back] = in_a == 1 ? in_b : in_a;
  }
  return result;
}

Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& target) {
  Strides result(target.size(), 0);
  const std::size_t lead = target.size() - shape.size();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1) result[lead + axis] = strides[axis];
  }
  return result;
}

int normalize_axis(int axis, int rank, const char* operation) {
  check(axis >= -rank && axis < rank, "{}: axis {} is outside a tensor of {} axes", operation, axis, rank);
  return axis < 0 ? axis + rank : axis;
}

}  // namespace ropewalk
