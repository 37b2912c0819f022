// Shapes, strides, and the one walk over strided arrays that everything slow-but-general is built on.
#pragma once

#include <fmt/core.h>

#include <array>
#include <string>

#include "framework/core/extents.hpp"

namespace ropewalk {

using Shape = Extents;
using Strides = Extents;  ///< in elements

/// Number of elements; 1 for a scalar's empty shape.
Index size_of(const Shape& shape);

/// Row-major strides.
Strides contiguous_strides(const Shape& shape);

/// "[2, 3]"
std::string to_string(const Shape& shape);

/// The shape two operands broadcast to (NumPy's rule); throws an `Error` that begins with `operation`.
Shape broadcast_shape(const Shape& a, const Shape& b, const char* operation);

/// Strides under which an array of `shape` reads as one of `target`: 0 along every axis that repeats.
Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& target);

/// Axis counted from the end if negative; throws if it is outside `rank`.
int normalize_axis(int axis, int rank, const char* operation);

/// Merges neighbouring axes that all N arrays cross in one step, so that walks are as long as they can be.
template <std::size_t N>
void coalesce(Shape& shape, std::array<Strides, N>& strides) {
  std::size_t kept = 0;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;  // nobody takes a step along it, whatever its stride
    bool joins = true;
    for (const Strides& s : strides) joins = joins && s[kept] == s[axis] * shape[axis];
    if (joins || shape[kept] == 1) {
      shape[kept] = joins ? shape[kept] * shape[axis] : shape[axis];
    } else {
      shape[++kept] = shape[axis];
    }
    for (Strides& s : strides) s[kept] = s[axis];
  }
  shape.resize(kept + 1);
  for (Strides& s : strides) s.resize(kept + 1);
}

/// Calls `row(offsets, steps, count)` for each innermost row of `shape`: where the row begins in each of N arrays, the stride
/// along it, and its length. Never called for an empty shape.
template <std::size_t N, class Row>
void for_each_row(Shape shape, std::array<Strides, N> strides, Row&& row) {
  if (size_of(shape) == 0) return;
  std::array<Index, N> offsets{}, steps{};
  if (shape.empty()) {
    row(offsets, steps, Index{1});
    return;
  }
  coalesce(shape, strides);
  const std::size_t inner = shape.size() - 1;
  for (std::size_t n = 0; n < N; ++n) steps[n] = strides[n][inner];
  Extents index(inner);
  while (true) {
    row(offsets, steps, shape[inner]);
    std::size_t axis = inner;
    while (axis > 0) {
      --axis;
      for (std::size_t n = 0; n < N; ++n) offsets[n] += strides[n][axis];
      if (++index[axis] < shape[axis]) break;
      for (std::size_t n = 0; n < N; ++n) offsets[n] -= strides[n][axis] * shape[axis];
      index[axis] = 0;
      if (axis == 0) return;
    }
    if (inner == 0) return;
  }
}

}  // namespace ropewalk

/// Shapes in messages, written out only if a message is: [2, 3].
template <>
struct fmt::formatter<ropewalk::Shape> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const ropewalk::Shape& shape, Context& context) const {
    return fmt::format_to(context.out(), "{}", ropewalk::to_string(shape));
  }
};
