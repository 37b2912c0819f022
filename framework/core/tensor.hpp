// Tensor: a value handle over shared storage, with a shape, strides and, if it is being differentiated, its place in the graph.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "framework/core/error.hpp"
#include "framework/core/memory.hpp"
#include "framework/core/shape.hpp"

namespace ropewalk {

enum class Type { f32, f64, i32 };

const char* name_of(Type type);
std::size_t bytes_of(Type type);

template <class T>
struct TypeOf;
template <>
struct TypeOf<float> {
  static constexpr Type value = Type::f32;
};
template <>
struct TypeOf<double> {
  static constexpr Type value = Type::f64;
};
template <>
struct TypeOf<std::int32_t> {
  static constexpr Type value = Type::i32;
};

/// Calls `function(T{})` with T = float or double; throws for any other type.
template <class Function>
decltype(auto) dispatch(Type type, Function&& function) {
  check(type != Type::i32, "expected a tensor of f32 or f64, got i32");
  if (type == Type::f32) return function(float{});
  return function(double{});
}

struct Node;

class Tensor {
 public:
  /// Undefined: no storage, `defined()` is false.
  Tensor() = default;

  /// Uninitialised.
  static Tensor empty(Shape shape, Type type = Type::f32);
  static Tensor full(Shape shape, double value, Type type = Type::f32);
  static Tensor zeros(Shape shape, Type type = Type::f32) { return full(std::move(shape), 0.0, type); }
  static Tensor scalar(double value, Type type = Type::f32) { return full({}, value, type); }
  /// Copies `values`, row-major, rounded to `type`.
  static Tensor of(const std::vector<double>& values, Shape shape, Type type = Type::f32);
  static Tensor of(const std::vector<std::int32_t>& values, Shape shape);

  bool defined() const { return buffer_ != nullptr; }
  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  Type type() const { return type_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  /// Extent of an axis, counted from the end if negative.
  Index dim(int axis) const { return shape_[static_cast<std::size_t>(normalize_axis(axis, rank(), "dim"))]; }
  Index size() const { return size_of(shape_); }
  bool contiguous() const;

  /// First element. Writing is for whoever made the tensor; a tensor that others may hold is not written to.
  template <class T>
  T* data() const {
    check(TypeOf<T>::value == type_, "a tensor of {} was read as {}", name_of(type_), name_of(TypeOf<T>::value));
    return static_cast<T*>(buffer_->data()) + offset_;
  }

  /// The same storage seen with another shape and other strides, `offset` elements further; not recorded.
  Tensor view(Shape shape, Strides strides, Index offset) const;
  /// The same storage without its place in the graph.
  Tensor detach() const;
  /// True if nobody else holds the storage, so that it may be overwritten.
  bool unique() const { return buffer_.use_count() == 1; }
  /// True if both handles see the same storage.
  bool shares(const Tensor& other) const { return buffer_ == other.buffer_; }

  /// Copy of all elements, row-major.
  std::vector<double> values() const;
  /// The only element.
  double item() const;

  const std::shared_ptr<Node>& node() const { return node_; }
  /// True if gradients flow through this tensor.
  bool tracked() const { return node_ != nullptr; }
  Tensor with_node(std::shared_ptr<Node> node) const;

 private:
  std::shared_ptr<Buffer> buffer_;
  std::shared_ptr<Node> node_;
  Shape shape_;
  Strides strides_;
  Index offset_ = 0;
  Type type_ = Type::f32;
};

using Tensors = std::vector<Tensor>;

/// The same storage if its elements lie in row-major order, else a copy that does, with row-major strides; not recorded.
Tensor packed(const Tensor& x);
/// Copy in row-major order; not recorded.
Tensor copy(const Tensor& x);
/// Copy with elements rounded to `type`; not recorded.
Tensor convert(const Tensor& x, Type type);

}  // namespace ropewalk
