#include "framework/ops/select.hpp"

#include <algorithm>

#include "framework/kernels/kernels.hpp"
#include "framework/ops/elementwise.hpp"

namespace ropewalk {
namespace {

/// A gather as copies of `inner` neighbouring elements: from row index[i] of each of `outer` groups of `extent` rows.
struct Picks {
  Index outer, extent, inner, count;
};

Picks picks_of(const Tensor& x, std::size_t axis, const Tensor& indices) {
  const Shape& shape = x.shape();
  return {size_of(Shape(shape.begin(), shape.begin() + static_cast<Index>(axis))), shape[axis],
          size_of(Shape(shape.begin() + static_cast<Index>(axis) + 1, shape.end())), indices.size()};
}

template <class Function>
void for_each_pick(const Picks& picks, const std::int32_t* index, Function function) {
  for (Index o = 0; o < picks.outer; ++o) {
    for (Index i = 0; i < picks.count; ++i) {
      function((o * picks.extent + index[i]) * picks.inner, (o * picks.count + i) * picks.inner);
    }
  }
}

Shape picked_shape(const Tensor& x, std::size_t axis, const Tensor& indices) {
  Shape shape = x.shape();
  const auto place = shape.erase(shape.begin() + static_cast<Index>(axis));
  shape.insert(place, indices.shape().begin(), indices.shape().end());
  return shape;
}

}  // namespace

Tensor gather(const Tensor& x, int axis, const Tensor& indices) {
  const auto along = static_cast<std::size_t>(normalize_axis(axis, x.rank(), "gather"));
  check(indices.type() == Type::i32, "gather: expected i32 indices, got {}", name_of(indices.type()));
  const Tensor source = packed(x), index = packed(indices);
  const Picks picks = picks_of(x, along, index);
  for (Index i = 0; i < index.size(); ++i) {
    const std::int32_t at = index.data<std::int32_t>()[i];
    check(at >= 0 && at < picks.extent, "gather: index {} is outside axis {} of shape {}", at, axis, x.shape());
  }
  const Tensor y = Tensor::empty(picked_shape(x, along, indices), x.type());
  dispatch(x.type(), [&]<class T>(T) {
    for_each_pick(picks, index.data<std::int32_t>(),
                  [from = source.data<T>(), to = y.data<T>(), &picks](Index source_at, Index at) {
                    std::copy_n(from + source_at, picks.inner, to + at);
                  });
  });
  return record(y, {x}, [index, picks](Flow& flow) {
    const Tensor dy = packed(flow.dy());
    const Destination dx = flow.destination(0);
    dispatch(dy.type(), [&]<class T>(T) {
      const auto& kernel = kernels::table<T>();
      T* target = dx.tensor.data<T>();
      if (!dx.adds) std::fill_n(target, dx.tensor.size(), T(0));
      for_each_pick(picks, index.data<std::int32_t>(),
                    [&](Index source_at, Index at) { kernel.accumulate(dy.data<T>() + at, target + source_at, picks.inner); });
    });
  });
}

Tensor pick(const Tensor& x, const Tensor& indices) {
  check(indices.type() == Type::i32, "pick: expected i32 indices, got {}", name_of(indices.type()));
  check(x.rank() == indices.rank() && x.rank() > 0 && std::equal(x.shape().begin(), x.shape().end() - 1, indices.shape().begin()),
        "pick: expected indices of the leading axes of shape {}, got {}", x.shape(), indices.shape());
  const Index extent = x.dim(-1), count = indices.dim(-1), rows = count > 0 ? indices.size() / count : 0;
  const Tensor source = packed(x), index = packed(indices), y = Tensor::empty(indices.shape(), x.type());
  for (Index i = 0; i < index.size(); ++i) {
    const std::int32_t at = index.data<std::int32_t>()[i];
    check(at >= 0 && at < extent, "pick: index {} is outside the last axis of shape {}", at, x.shape());
  }
  const auto for_each = [=](auto function) {
    for (Index r = 0; r < rows; ++r) {
      for (Index i = r * count; i < (r + 1) * count; ++i) function(r * extent + index.data<std::int32_t>()[i], i);
    }
  };
  dispatch(x.type(), [&]<class T>(T) {
    for_each([from = source.data<T>(), to = y.data<T>()](Index source_at, Index at) { to[at] = from[source_at]; });
  });
  return record(y, {x}, [=, shape = x.shape()](const Tensor& dy) {
    const Tensor flowing = packed(dy), dx = Tensor::zeros(shape, dy.type());
    dispatch(dy.type(), [&]<class T>(T) {
      for_each([from = flowing.data<T>(), to = dx.data<T>()](Index source_at, Index at) { to[source_at] += from[at]; });
    });
    return Tensors{dx};
  });
}

Tensor embedding(const Tensor& table, const Tensor& tokens) {
  check(table.rank() == 2, "embedding: expected a table of two axes, got shape {}", table.shape());
  return gather(table, 0, tokens);
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, double value) {
  check(mask.type() == Type::i32, "masked_fill: expected an i32 mask, got {}", name_of(mask.type()));
  const Shape shape = broadcast_shape(x.shape(), mask.shape(), "masked_fill");
  check(shape == x.shape(), "masked_fill: mask {} does not broadcast to {}", mask.shape(), x.shape());
  Tensor y = copy(x);
  dispatch(x.type(), [&]<class T>(T) {
    for_each_row<2>(shape, {broadcast_strides(mask.shape(), mask.strides(), shape), y.strides()},
                    [&](auto offsets, auto steps, Index count) {
                      const std::int32_t* hidden = mask.data<std::int32_t>() + offsets[0];
                      T* row = y.data<T>() + offsets[1];
                      for (Index i = 0; i < count; ++i) {
                        if (hidden[i * steps[0]] != 0) row[i * steps[1]] = static_cast<T>(value);
                      }
                    });
  });
  return record(y, {x}, [mask](const Tensor& dy) { return Tensors{masked_fill(dy, mask, 0.0)}; });
}

Tensor dropout(const Tensor& x, double p, Stream stream) {
  check(p >= 0 && p < 1, "dropout: expected a probability in [0, 1), got {}", p);
  if (p == 0) return x;
  Tensor keep = Tensor::empty(x.shape(), x.type());
  dispatch(x.type(), [&]<class T>(T) {
    const T kept = static_cast<T>(1 / (1 - p));
    for (Index i = 0; i < keep.size(); ++i) keep.data<T>()[i] = stream.uniform() < p ? T(0) : kept;
  });
  return multiply(x, keep);
}

}  // namespace ropewalk
