#include "framework/ops/layout.hpp"

#include <algorithm>
#include <utility>

namespace ropewalk {
namespace {

Shape complete(const Shape& from, const Shape& asked) {
  Shape shape = asked;
  const auto unknown = std::find(shape.begin(), shape.end(), Index{-1});
  if (unknown != shape.end()) *unknown = 1;
  check(std::all_of(shape.begin(), shape.end(), [](Index extent) { return extent >= 0; }),
        "reshape: {} is not a shape: one extent may be -1, none less", asked);
  if (unknown != shape.end()) {
    const Index known = size_of(shape);
    check(known > 0 && size_of(from) % known == 0, "reshape: {} does not divide into {}", from, asked);
    *unknown = size_of(from) / known;
  }
  check(size_of(from) == size_of(shape), "reshape: {} has {} elements, {} has {}", from, size_of(from), shape, size_of(shape));
  return shape;
}

Tensor sliced_view(const Tensor& x, std::size_t axis, Index begin, Index count, Index step) {
  Shape shape = x.shape();
  Strides strides = x.strides();
  const Index offset = begin * strides[axis];
  shape[axis] = count;
  strides[axis] *= step;
  return x.view(std::move(shape), std::move(strides), offset);
}

void copy_into(const Tensor& from, const Tensor& to) {
  dispatch(to.type(), [&]<class T>(T) {
    for_each_row<2>(to.shape(), {from.strides(), to.strides()}, [&](auto offsets, auto steps, Index count) {
      const T* source = from.data<T>() + offsets[0];
      T* target = to.data<T>() + offsets[1];
      for (Index i = 0; i < count; ++i) target[i * steps[1]] = source[i * steps[0]];
    });
  });
}

}  // namespace

Tensor reshape(const Tensor& x, Shape shape) {
  shape = complete(x.shape(), shape);
  const Tensor rows = packed(x);
  const Tensor y = rows.view(shape, contiguous_strides(shape), 0);
  return record(y, {x}, [before = x.shape()](const Tensor& dy) { return Tensors{reshape(dy, before)}; });
}

Tensor permute(const Tensor& x, const std::vector<int>& order) {
  check(order.size() == x.shape().size(), "permute: {} axes given for shape {}", order.size(), x.shape());
  Shape shape(order.size());
  Strides strides(order.size());
  std::vector<int> back(order.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto from = static_cast<std::size_t>(normalize_axis(order[i], x.rank(), "permute"));
    check(back[from] < 0, "permute: axis {} is named twice", order[i]);
    shape[i] = x.shape()[from];
    strides[i] = x.strides()[from];
    back[from] = static_cast<int>(i);
  }
  return record(x.view(std::move(shape), std::move(strides), 0), {x},
                [back](const Tensor& dy) { return Tensors{permute(dy, back)}; });
}

Tensor transpose(const Tensor& x) {
  check(x.rank() >= 2, "transpose: expected at least two axes, got shape {}", x.shape());
  std::vector<int> order(x.shape().size());
  for (std::size_t axis = 0; axis < order.size(); ++axis) order[axis] = static_cast<int>(axis);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return permute(x, order);
}

Tensor slice(const Tensor& x, int axis, Index begin, Index end, Index step) {
  const auto along = static_cast<std::size_t>(normalize_axis(axis, x.rank(), "slice"));
  check(step >= 1 && begin >= 0 && begin <= end && end <= x.shape()[along], "slice: {}:{}:{} is outside axis {} of shape {}",
        begin, end, step, axis, x.shape());
  const Index count = (end - begin + step - 1) / step;
  return record(sliced_view(x, along, begin, count, step), {x}, [=, shape = x.shape()](const Tensor& dy) {
    Tensor dx = Tensor::zeros(shape, dy.type());
    copy_into(dy, sliced_view(dx, along, begin, count, step));
    return Tensors{dx};
  });
}

Tensor concatenate(const Tensors& parts, int axis) {
  check(!parts.empty(), "concatenate: no tensors given");
  const auto along = static_cast<std::size_t>(normalize_axis(axis, parts.front().rank(), "concatenate"));
  Shape shape = parts.front().shape();
  shape[along] = 0;
  for (const Tensor& part : parts) {
    Shape rest = part.shape();
    const bool fits = rest.size() == shape.size();
    const Index extent = fits ? std::exchange(rest[along], shape[along]) : 0;
    check(fits && rest == shape && part.type() == parts.front().type(), "concatenate: {} and {} differ off axis {} or in type",
          parts.front().shape(), part.shape(), axis);
    shape[along] += extent;
  }
  Tensor y = Tensor::empty(shape, parts.front().type());
  std::vector<Index> extents;
  Index begin = 0;
  for (const Tensor& part : parts) {
    extents.push_back(part.shape()[along]);
    copy_into(part, sliced_view(y, along, begin, extents.back(), 1));
    begin += extents.back();
  }
  return record(y, parts, [along, extents](const Tensor& dy) {
    Tensors flowing;
    Index from = 0;
    for (Index extent : extents) {
      flowing.push_back(sliced_view(dy, along, from, extent, 1));
      from += extent;
    }
    return flowing;
  });
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  check(broadcast_shape(x.shape(), shape, "broadcast_to") == shape, "broadcast_to: {} does not repeat to {}", x.shape(), shape);
  return record(x.view(shape, broadcast_strides(x.shape(), x.strides(), shape), 0), {x},
                [](const Tensor& dy) { return Tensors{dy}; });
}

}  // namespace ropewalk
