#include "framework/ops/matmul.hpp"

#include <utility>

#include "framework/kernels/kernels.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/rows.hpp"

namespace ropewalk {
namespace {

/// The tensor itself if the matrix library can read it: one of the last two strides is 1 and the other at least as long as a
/// line.
Tensor readable(const Tensor& x) {
  const Index rows = x.dim(-2), columns = x.dim(-1);
  const Index row_stride = x.strides()[x.shape().size() - 2], column_stride = x.strides().back();
  const bool by_rows = column_stride == 1 && row_stride >= columns;
  const bool by_columns = row_stride == 1 && column_stride >= rows;
  return by_rows || by_columns ? x.detach() : copy(x);
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

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
  check(a.rank() >= 2 && b.rank() >= 2, "matmul: expected matrices, got shapes {} and {}", a.shape(), b.shape());
  check(a.type() == b.type(), "matmul: types {} and {} differ", name_of(a.type()), name_of(b.type()));
  check(a.dim(-1) == b.dim(-2), "matmul: {} x {}: inner sizes {} and {} differ", a.shape(), b.shape(), a.dim(-1), b.dim(-2));
  return record(multiply_all(a, b), {a, b}, [a = a.detach(), b = b.detach()](const Tensor& dy) {
    return Tensors{matmul(dy, transpose(b)), matmul(transpose(a), dy)};
  });
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& residual) {
  check(weight.rank() == 2 && x.rank() >= 1 && x.dim(-1) == weight.dim(1), "linear: x {} and weight {} do not fit", x.shape(),
        weight.shape());
  check(!bias.defined() || bias.shape() == Shape{weight.dim(0)}, "linear: bias {} and weight {} do not fit", bias.shape(),
        weight.shape());
  Shape shape = x.shape();
  shape.back() = weight.dim(0);
  check(!residual.defined() || residual.shape() == shape, "linear: residual {} and result {} do not fit", residual.shape(),
        shape);

  const Tensor rows = as_rows(x), matrix_weight = packed(weight);
  const Tensor y = product(rows, matrix_weight, bias, kernels::Activation::none, residual);
  return record(y.view(shape, contiguous_strides(shape), 0), {x, weight, bias, residual}, [rows, matrix_weight](Flow& flow) {
    dispatch(rows.type(), [&]<class T>(T) {
      const Tensor dy = as_rows(flow.dy());
      const auto flowing = matrix<T, const T>(dy);
      leave_product<T>(flow, 0, flowing, matrix<T, const T>(matrix_weight));
      leave_product<T>(flow, 1, flowing.transposed(), matrix<T, const T>(rows));
      leave_column_sum<T>(flow, 2, dy);
    });
    flow.give(3, flow.dy());
  });
}

}  // namespace ropewalk
