#include "framework/ops/elementwise.hpp"

#include <algorithm>
#include <cmath>

#include "framework/kernels/kernels.hpp"

namespace ropewalk {
namespace {

using kernels::Binary;
using kernels::Unary;

Tensor apply(Binary operation, const Tensor& a, const Tensor& b, const char* name) {
  check(a.type() == b.type(), "{}: types {} and {} differ", name, name_of(a.type()), name_of(b.type()));
  Tensor y = Tensor::empty(broadcast_shape(a.shape(), b.shape(), name), a.type());
  dispatch(y.type(), [&]<class T>(T) {
    const auto& kernel = kernels::table<T>();
    for_each_row<3>(
        y.shape(),
        {broadcast_strides(a.shape(), a.strides(), y.shape()), broadcast_strides(b.shape(), b.strides(), y.shape()), y.strides()},
        [&](auto offsets, auto steps, Index count) {
          kernel.binary(operation, a.data<T>() + offsets[0], steps[0], b.data<T>() + offsets[1], steps[1],
                        y.data<T>() + offsets[2], count);
        });
  });
  return y;
}

Tensor apply(Unary operation, const Tensor& x) {
  Tensor y = Tensor::empty(x.shape(), x.type());
  dispatch(x.type(), [&]<class T>(T) {
    for_each_row<2>(x.shape(), {x.strides(), y.strides()}, [&](auto offsets, auto steps, Index count) {
      kernels::table<T>().unary(operation, x.data<T>() + offsets[0], steps[0], y.data<T>() + offsets[1], count);
    });
  });
  return y;
}

Tensor apply_gradient(Unary operation, const Tensor& x, const Tensor& y, const Tensor& dy) {
  const Tensor input = packed(x), flowing = packed(dy);
  Tensor dx = Tensor::empty(x.shape(), x.type());
  dispatch(x.type(), [&]<class T>(T) {
    kernels::table<T>().unary_gradient(operation, input.data<T>(), y.data<T>(), flowing.data<T>(), dx.data<T>(), dx.size());
  });
  return dx;
}

/// An operation whose derivative is written in terms of its output alone: the input need not be kept.
Tensor unary_by_output(Unary operation, const Tensor& x) {
  return record(apply(operation, x), {x},
                [operation](const Tensor& y, const Tensor& dy) { return Tensors{apply_gradient(operation, y, y, dy)}; });
}

/// An operation whose derivative is written in terms of its input, some with the output to save work.
Tensor unary_by_input(Unary operation, const Tensor& x) {
  return record(apply(operation, x), {x}, [operation, input = x.detach()](const Tensor& y, const Tensor& dy) {
    return Tensors{apply_gradient(operation, input, y, dy)};
  });
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  return record(apply(Binary::add, a, b, "add"), {a, b}, [](const Tensor& dy) { return Tensors{dy, dy}; });
}

Tensor subtract(const Tensor& a, const Tensor& b) {
  return record(apply(Binary::subtract, a, b, "subtract"), {a, b}, [](const Tensor& dy) { return Tensors{dy, negate(dy)}; });
}

Tensor multiply(const Tensor& a, const Tensor& b) {
  return record(apply(Binary::multiply, a, b, "multiply"), {a, b}, [a = a.detach(), b = b.detach()](const Tensor& dy) {
    return Tensors{multiply(dy, b), multiply(dy, a)};
  });
}

Tensor divide(const Tensor& a, const Tensor& b) {
  return record(apply(Binary::divide, a, b, "divide"), {a, b}, [b = b.detach()](const Tensor& y, const Tensor& dy) {
    const Tensor da = divide(dy, b);
    return Tensors{da, negate(multiply(da, y))};
  });
}

Tensor scale(const Tensor& x, double factor) { return multiply(x, Tensor::scalar(factor, x.type())); }

Tensor negate(const Tensor& x) { return unary_by_output(Unary::negate, x); }
Tensor exp(const Tensor& x) { return unary_by_output(Unary::exp, x); }
Tensor log(const Tensor& x) { return unary_by_input(Unary::log, x); }
Tensor tanh(const Tensor& x) { return unary_by_output(Unary::tanh, x); }
Tensor sigmoid(const Tensor& x) { return unary_by_output(Unary::sigmoid, x); }
Tensor log_sigmoid(const Tensor& x) { return unary_by_input(Unary::log_sigmoid, x); }
Tensor relu(const Tensor& x) { return unary_by_output(Unary::relu, x); }
Tensor silu(const Tensor& x) { return unary_by_input(Unary::silu, x); }
Tensor gelu(const Tensor& x) { return unary_by_input(Unary::gelu, x); }
Tensor gelu_tanh(const Tensor& x) { return unary_by_input(Unary::gelu_tanh, x); }
Tensor square_root(const Tensor& x) { return unary_by_output(Unary::square_root, x); }

Tensor clamp(const Tensor& x, double low, double high) {
  const Tensor y = copy(x), within = Tensor::full(x.shape(), 1, x.type());
  dispatch(x.type(), [&]<class T>(T) {
    for (Index i = 0; i < y.size(); ++i) {
      T& value = y.data<T>()[i];
      if (value >= static_cast<T>(low) && value <= static_cast<T>(high)) continue;
      within.data<T>()[i] = 0;
      if (!std::isnan(value)) value = std::clamp(value, static_cast<T>(low), static_cast<T>(high));
    }
  });
  return record(y, {x}, [within](const Tensor& dy) { return Tensors{multiply(dy, within)}; });
}

}  // namespace ropewalk
