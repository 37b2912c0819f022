#include "framework/ops/feed_forward.hpp"

#include <algorithm>

#include "framework/ops/rows.hpp"

namespace ropewalk {
namespace {

void check_shapes(const Tensor& x, const Affine& up, const Affine& down, const Tensor& residual) {
  check(up.weight.rank() == 2 && down.weight.rank() == 2 && x.rank() >= 1 && x.dim(-1) == up.weight.dim(1) &&
            down.weight.dim(1) == up.weight.dim(0),
        "feed_forward: x {} and weights {} and {} do not fit", x.shape(), up.weight.shape(), down.weight.shape());
  for (const Affine* part : {&up, &down}) {
    check(!part->bias.defined() || part->bias.shape() == Shape{part->weight.dim(0)},
          "feed_forward: bias {} and weight {} do not fit", part->bias.shape(), part->weight.shape());
  }
  Shape shape = x.shape();
  shape.back() = down.weight.dim(0);
  check(!residual.defined() || residual.shape() == shape, "feed_forward: residual {} and result {} do not fit", residual.shape(),
        shape);
}

Tensor activated(const Tensor& before, Activation activation) {
  if (activation == Activation::none) return before;
  Tensor y = Tensor::empty(before.shape(), before.type());
  dispatch(before.type(), [&]<class T>(T) {
    kernels::table<T>().unary(kernels::function_of(activation), before.data<T>(), 1, y.data<T>(), y.size());
  });
  return y;
}

}  // namespace

Tensor feed_forward(const Tensor& x, const Affine& up, const Affine& down, Activation activation, const Tensor& residual) {
  check_shapes(x, up, down, residual);
  Shape shape = x.shape();
  shape.back() = down.weight.dim(0);
  const Tensor rows = as_rows(x), up_weight = packed(up.weight), down_weight = packed(down.weight);
  const Tensors inputs{x, up.weight, up.bias, down.weight, down.bias, residual};
  const bool recorded = recording(inputs);
  const Tensor before = product(rows, up_weight, up.bias, recorded ? Activation::none : activation, {});
  const Tensor after = recorded ? activated(before, activation) : before;
  const Tensor y = product(after, down_weight, down.bias, Activation::none, residual);
  return record(y.view(shape, contiguous_strides(shape), 0), inputs, [=](Flow& flow) {
    const Tensor dy = as_rows(flow.dy()), hidden = before.unique() ? before : copy(before);
    const Tensor dhidden = Tensor::empty(before.shape(), before.type());
    dispatch(before.type(), [&]<class T>(T) {
      const auto flowing = matrix<T, const T>(dy);
      kernels::gemm(flowing, matrix<T, const T>(down_weight), matrix<T>(dhidden));
      if (activation != Activation::none) {  // what was before it becomes what is after it, and the gradient goes the other way
        kernels::table<T>().unary_with_gradient(kernels::function_of(activation), hidden.data<T>(), dhidden.data<T>(),
                                                hidden.size());
      }
      leave_product<T>(flow, 3, flowing.transposed(), matrix<T, const T>(hidden));
      leave_column_sum<T>(flow, 4, dy);
      leave_product<T>(flow, 0, matrix<T, const T>(dhidden), matrix<T, const T>(up_weight));
      leave_product<T>(flow, 1, matrix<T, const T>(dhidden).transposed(), matrix<T, const T>(rows));
      leave_column_sum<T>(flow, 2, dhidden);
    });
    flow.give(5, flow.dy());
  });
}

}  // namespace ropewalk
