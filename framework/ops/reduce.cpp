#include "framework/ops/reduce.hpp"

#include <algorithm>
#include <numeric>

#include "framework/kernels/kernels.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"

namespace ropewalk {
namespace {

/// Which axes go, as a flag for each.
std::vector<bool> reduced_axes(const Tensor& x, const std::vector<int>& axes, const char* operation) {
  std::vector<bool> reduced(x.shape().size(), axes.empty());
  for (int axis : axes) reduced[static_cast<std::size_t>(normalize_axis(axis, x.rank(), operation))] = true;
  return reduced;
}

Shape kept_shape(const Tensor& x, const std::vector<bool>& reduced) {
  Shape shape = x.shape();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (reduced[axis]) shape[axis] = 1;
  }
  return shape;
}

Shape dropped_shape(const Tensor& x, const std::vector<bool>& reduced) {
  Shape shape;
  for (std::size_t axis = 0; axis < x.shape().size(); ++axis) {
    if (!reduced[axis]) shape.push_back(x.shape()[axis]);
  }
  return shape;
}

/// `x` with the reduced axes last.
Tensor reduced_last(const Tensor& x, const std::vector<bool>& reduced) {
  std::vector<int> order;
  for (bool wanted : {false, true}) {
    for (std::size_t axis = 0; axis < reduced.size(); ++axis) {
      if (reduced[axis] == wanted) order.push_back(static_cast<int>(axis));
    }
  }
  return packed(permute(x.detach(), order));
}

}  // namespace

Tensor sum(const Tensor& x, std::vector<int> axes, bool keep) {
  const std::vector<bool> reduced = reduced_axes(x, axes, "sum");
  const Shape kept = kept_shape(x, reduced);
  const Tensor rows = reduced_last(x, reduced);
  Tensor y = Tensor::zeros(kept, x.type());
  const Index columns = y.size() == 0 ? 0 : x.size() / y.size();
  dispatch(x.type(), [&]<class T>(T) {
    for (Index row = 0; row < y.size(); ++row)
      y.data<T>()[row] = kernels::table<T>().sum(rows.data<T>() + row * columns, columns);
  });
  const Tensor result =
      y.view(keep ? kept : dropped_shape(x, reduced), contiguous_strides(keep ? kept : dropped_shape(x, reduced)), 0);
  return record(result, {x}, [kept, shape = x.shape()](const Tensor& dy) {
    const Tensor spread = packed(dy);
    return Tensors{spread.view(shape, broadcast_strides(kept, contiguous_strides(kept), shape), 0)};
  });
}

Tensor mean(const Tensor& x, std::vector<int> axes, bool keep) {
  const std::vector<bool> reduced = reduced_axes(x, axes, "mean");
  const Index count = [&] {
    Index product = 1;
    for (std::size_t axis = 0; axis < reduced.size(); ++axis) product *= reduced[axis] ? x.shape()[axis] : 1;
    return product;
  }();
  check(count > 0, "mean: no elements along the reduced axes of shape {}", x.shape());
  return scale(sum(x, std::move(axes), keep), 1.0 / static_cast<double>(count));
}

Tensor maximum(const Tensor& x, int axis, bool keep) {
  const int along = normalize_axis(axis, x.rank(), "maximum");
  const std::vector<bool> reduced = reduced_axes(x, {along}, "maximum");
  const Index columns = x.dim(along);
  check(columns > 0, "maximum: no elements along axis {} of shape {}", axis, x.shape());
  const Tensor rows = reduced_last(x, reduced);
  const Shape shape = keep ? kept_shape(x, reduced) : dropped_shape(x, reduced);
  Tensor y = Tensor::empty(shape, x.type());
  Tensor where = Tensor::empty({y.size()}, Type::i32);
  dispatch(x.type(), [&]<class T>(T) {
    for (Index row = 0; row < y.size(); ++row) {
      const T* values = rows.data<T>() + row * columns;
      const T largest = kernels::table<T>().maximum(values, columns);
      y.data<T>()[row] = largest;
      where.data<std::int32_t>()[row] = static_cast<std::int32_t>(std::find(values, values + columns, largest) - values);
    }
  });
  return record(y, {x}, [where, reduced, along, columns, shape = x.shape()](const Tensor& dy) {
    const Tensor flowing = packed(dy);
    Shape moved;  // the reduced axis last, as the rows were
    for (std::size_t a = 0; a < shape.size(); ++a) {
      if (!reduced[a]) moved.push_back(shape[a]);
    }
    moved.push_back(columns);
    Tensor dx = Tensor::zeros(moved, dy.type());
    dispatch(dy.type(), [&]<class T>(T) {
      for (Index row = 0; row < flowing.size(); ++row) {
        const std::int32_t column = where.data<std::int32_t>()[row];
        if (column < columns) dx.data<T>()[row * columns + column] = flowing.data<T>()[row];
      }
    });
    std::vector<int> back(shape.size());
    for (std::size_t a = 0, next = 0; a < shape.size(); ++a) {
      back[a] = static_cast<int>(static_cast<int>(a) == along ? shape.size() - 1 : next++);
    }
    return Tensors{permute(dx, back)};
  });
}

}  // namespace ropewalk
