#include "framework/core/tensor.hpp"

#include <algorithm>

namespace ropewalk {
namespace {

template <class Function>
void dispatch_any(Type type, Function&& function) {
  if (type == Type::i32) {
    function(std::int32_t{});
  } else {
    dispatch(type, function);
  }
}

}  // namespace

const char* name_of(Type type) {
  switch (type) {
    case Type::f32: return "f32";
    case Type::f64: return "f64";
    case Type::i32: return "i32";
  }
  return "unknown";
}

std::size_t bytes_of(Type type) { return type == Type::f64 ? 8 : 4; }

Tensor Tensor::empty(Shape shape, Type type) {
  for (Index extent : shape) check(extent >= 0, "a tensor cannot have the shape {}", shape);
  check(size_of(shape) < (Index{1} << 48), "a tensor of shape {} is too large for any machine", shape);
  Tensor tensor;
  tensor.buffer_ = std::make_shared<Buffer>(static_cast<std::size_t>(size_of(shape)) * bytes_of(type));
  tensor.strides_ = contiguous_strides(shape);
  tensor.shape_ = std::move(shape);
  tensor.type_ = type;
  return tensor;
}

Tensor Tensor::full(Shape shape, double value, Type type) {
  Tensor tensor = empty(std::move(shape), type);
  dispatch_any(type, [&]<class T>(T) { std::fill_n(tensor.data<T>(), tensor.size(), static_cast<T>(value)); });
  return tensor;
}

Tensor Tensor::of(const std::vector<double>& values, Shape shape, Type type) {
  check(static_cast<Index>(values.size()) == size_of(shape), "{} values do not fill a tensor of shape {}", values.size(), shape);
  Tensor tensor = empty(std::move(shape), type);
  dispatch_any(type, [&]<class T>(T) {
    std::transform(values.begin(), values.end(), tensor.data<T>(), [](double value) { return static_cast<T>(value); });
  });
  return tensor;
}

Tensor Tensor::of(const std::vector<std::int32_t>& values, Shape shape) {
  check(static_cast<Index>(values.size()) == size_of(shape), "{} values do not fill a tensor of shape {}", values.size(), shape);
  Tensor tensor = empty(std::move(shape), Type::i32);
  std::copy(values.begin(), values.end(), tensor.data<std::int32_t>());
  return tensor;
}

bool Tensor::contiguous() const {
  Index step = 1;
  for (std::size_t axis = shape_.size(); axis-- > 0;) {
    if (shape_[axis] != 1 && strides_[axis] != step) return size() == 0;
    step *= shape_[axis];
  }
  return true;
}

Tensor Tensor::view(Shape shape, Strides strides, Index offset) const {
  Tensor result = detach();
  result.shape_ = std::move(shape);
  result.strides_ = std::move(strides);
  result.offset_ = offset_ + offset;
  return result;
}

Tensor Tensor::detach() const {
  Tensor result = *this;
  result.node_.reset();
  return result;
}

Tensor Tensor::with_node(std::shared_ptr<Node> node) const {
  Tensor result = *this;
  result.node_ = std::move(node);
  return result;
}

std::vector<double> Tensor::values() const {
  const Tensor source = packed(*this);
  std::vector<double> result(static_cast<std::size_t>(size()));
  dispatch_any(type_, [&]<class T>(T) { std::copy_n(source.data<T>(), source.size(), result.begin()); });
  return result;
}

double Tensor::item() const {
  check(size() == 1, "item: expected one element, got shape {}", shape_);
  return values().front();
}

Tensor packed(const Tensor& x) {
  if (!x.contiguous()) return copy(x);
  return x.view(x.shape(), contiguous_strides(x.shape()), 0);  // an axis of one may have had any stride
}

Tensor copy(const Tensor& x) { return convert(x, x.type()); }

Tensor convert(const Tensor& x, Type type) {
  Tensor y = Tensor::empty(x.shape(), type);
  dispatch_any(x.type(), [&]<class From>(From) {
    dispatch_any(type, [&]<class To>(To) {
      const From* from = x.data<From>();
      To* to = y.data<To>();
      for_each_row<2>(x.shape(), {x.strides(), y.strides()}, [&](auto offsets, auto steps, Index count) {
        const From* source = from + offsets[0];
        To* target = to + offsets[1];
        if (steps[0] == 1 && steps[1] == 1) {
          for (Index i = 0; i < count; ++i) target[i] = static_cast<To>(source[i]);
        } else {
          for (Index i = 0; i < count; ++i) target[i * steps[1]] = static_cast<To>(source[i * steps[0]]);
        }
      });
    });
  });
  return y;
}

}  // namespace ropewalk
