#include "framework/ops/matmul.hpp"

#include <utility>

#include "framework/kernels/kernels.hpp"
#include "framework/ops/layout.hpp"

namespace ropewalk {
namespace {

using kernels::Matrix;

/// The tensor itself if the matrix library can read it: one of the last two strides is 1 and the other at least as long as a
/// line.
Tensor readable(const Tensor& x) {
  const Index rows = x.dim(-2), columns = x.dim(-1);
  const Index row_stride = x.strides()[x.shape().size() - 2], column_stride = x.strides().back();
  const bool by_rows = column_stride == 1 && row_stride >= columns;
  const bool by_columns = row_stride == 1 && column_stride >= rows;
  return by_rows || by_columns ? x.detach() : copy(x);
}

template <class T, class U = T>
Matrix<U> matrix(const Tensor& x, Index offset = 0) {
  const std::size_t last = x.shape().size() - 1;
  return {x.data<T>() + offset, x.dim(-2), x.dim(-1), x.strides()[last - 1], x.strides()[last]};
}

Strides leading(const Strides& strides) { return Strides(strides.begin(), strides.end() - 2); }
Shape leading_shape(const Tensor& x) { return Shape(x.shape().begin(), x.shape().end() - 2); }

/// The product of every pair of matrices.
Tensor multiply_all(const Tensor& left, const Tensor& right) {
  const Tensor a = readable(left), b = readable(right);
  const Shape batch = broadcast_shape(leading_shape(a), leading_shape(b), "matmul");
  Shape shape = batch;
  shape.push_back(a.dim(-2));
  shape.push_back(b.dim(-1));
  Tensor y = Tensor::empty(shape, a.type());
  dispatch(y.type(), [&]<class T>(T) {
    for_each_row<3>(batch,
                    {broadcast_strides(leading_shape(a), leading(a.strides()), batch),
                     broadcast_strides(leading_shape(b), leading(b.strides()), batch), leading(y.strides())},
                    [&](auto offsets, auto steps, Index count) {
                      for (Index i = 0; i < count; ++i) {
                        kernels::gemm(matrix<T, const T>(a, offsets[0] + i * steps[0]),
                                      matrix<T, const T>(b, offsets[1] + i * steps[1]), matrix<T>(y, offsets[2] + i * steps[2]));
                      }
                    });
  });
  return y;
}

/// Rows of a tensor whose last axis is `columns`.
Tensor as_rows(const Tensor& x) {
  const Tensor source = packed(x);
  const Index columns = x.dim(-1);
  const Index rows = columns == 0 ? size_of(Shape(x.shape().begin(), x.shape().end() - 1)) : x.size() / columns;
  return source.view({rows, columns}, {columns, 1}, 0);
}

Tensor linear_value(const Tensor& rows, const Tensor& weight, const Tensor& bias, Activation activation) {
  Tensor y = Tensor::empty({rows.dim(0), weight.dim(0)}, rows.type());
  dispatch(y.type(), [&]<class T>(T) {
    const auto a = matrix<T, const T>(rows), b = matrix<T, const T>(weight).transposed();
    if (bias.defined()) {
      kernels::gemm_fused(a, b, packed(bias).data<T>(), activation, matrix<T>(y));
    } else {
      kernels::gemm(a, b, matrix<T>(y));
      if (activation != Activation::none) {
        kernels::table<T>().unary(kernels::function_of(activation), y.data<T>(), 1, y.data<T>(), y.size());
      }
    }
  });
  return y;
}

Tensor activated(Activation activation, const Tensor& before) {
  Tensor y = Tensor::empty(before.shape(), before.type());
  dispatch(y.type(), [&]<class T>(T) {
    kernels::table<T>().unary(kernels::function_of(activation), before.data<T>(), 1, y.data<T>(), y.size());
  });
  return y;
}

/// Gradients of x, weight and bias from the gradient before the activation.
Tensors linear_gradients(const Tensor& rows, const Tensor& weight, bool has_bias, const Tensor& du, const Shape& shape) {
  Tensor dx = Tensor::empty(shape, du.type());
  Tensor dweight = Tensor::empty(weight.shape(), du.type());
  Tensor dbias = has_bias ? Tensor::empty({weight.dim(0)}, du.type()) : Tensor();
  dispatch(du.type(), [&]<class T>(T) {
    const auto flowing = matrix<T, const T>(du);
    kernels::gemm(flowing, matrix<T, const T>(weight), matrix<T>(as_rows(dx)));
    kernels::gemm(flowing.transposed(), matrix<T, const T>(rows), matrix<T>(dweight));
    if (has_bias) kernels::table<T>().column_sum(du.data<T>(), dbias.data<T>(), du.dim(0), du.dim(1));
  });
  return has_bias ? Tensors{dx, dweight, dbias} : Tensors{dx, dweight};
}

/// The gradient before an activation. That of relu can be read off its output, which then stands for what was before it.
Tensor activation_gradient(Activation activation, const Tensor& before, const Tensor& y, const Tensor& dy) {
  Tensor du = Tensor::empty(dy.shape(), dy.type());
  dispatch(dy.type(), [&]<class T>(T) {
    const T* x = before.defined() ? before.data<T>() : y.data<T>();
    kernels::table<T>().unary_gradient(kernels::function_of(activation), x, y.data<T>(), dy.data<T>(), du.data<T>(), dy.size());
  });
  return du;
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
  check(a.rank() >= 2 && b.rank() >= 2, "matmul: expected matrices, got shapes {} and {}", to_string(a.shape()),
        to_string(b.shape()));
  check(a.type() == b.type(), "matmul: types {} and {} differ", name_of(a.type()), name_of(b.type()));
  check(a.dim(-1) == b.dim(-2), "matmul: {} x {}: inner sizes {} and {} differ", to_string(a.shape()), to_string(b.shape()),
        a.dim(-1), b.dim(-2));
  return record(multiply_all(a, b), {a, b}, [a = a.detach(), b = b.detach()](const Tensor& dy) {
    return Tensors{matmul(dy, transpose(b)), matmul(transpose(a), dy)};
  });
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation) {
  check(weight.rank() == 2 && x.rank() >= 1 && x.dim(-1) == weight.dim(1), "linear: x {} and weight {} do not fit",
        to_string(x.shape()), to_string(weight.shape()));
  check(!bias.defined() || bias.shape() == Shape{weight.dim(0)}, "linear: bias {} and weight {} do not fit",
        bias.defined() ? to_string(bias.shape()) : "none", to_string(weight.shape()));
  Tensors inputs{x, weight};
  if (bias.defined()) inputs.push_back(bias);
  Shape shape = x.shape();
  shape.back() = weight.dim(0);
  const Tensor rows = as_rows(x), matrix_weight = packed(weight);
  if (!recording(inputs)) return linear_value(rows, matrix_weight, bias, activation).view(shape, contiguous_strides(shape), 0);

  const Tensor before = linear_value(rows, matrix_weight, bias, Activation::none);
  const auto flow = [=, has_bias = bias.defined(), input_shape = x.shape()](const Tensor& du) {
    return linear_gradients(rows, matrix_weight, has_bias, du, input_shape);
  };
  if (activation == Activation::none) {
    const Tensor y = before.view(shape, contiguous_strides(shape), 0);
    return record(y, inputs, [flow](const Tensor& dy) { return flow(as_rows(dy)); });
  }
  const Tensor y = activated(activation, before).view(shape, contiguous_strides(shape), 0);
  const Tensor kept = activation == Activation::relu ? Tensor() : before;
  return record(y, inputs, [flow, activation, kept](const Tensor& output, const Tensor& dy) {
    return flow(activation_gradient(activation, kept, output, as_rows(dy)));
  });
}

}  // namespace ropewalk
