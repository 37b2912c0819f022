#include "framework/ops/feed_forward.hpp"

#include <algorithm>

#include "framework/ops/rows.hpp"

namespace ropewalk {
namespace {

constexpr Index block_elements = 4096;  // two arrays of this many floats fill the innermost cache

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

/// x weightᵀ + bias, with what the matrix library fuses into it.
Tensor product(const Tensor& rows, const Affine& affine, Activation activation, const Tensor& residual) {
  const Tensor y = Tensor::empty({rows.dim(0), affine.weight.dim(0)}, rows.type());
  dispatch(rows.type(), [&]<class T>(T) {
    const Tensor addend = packed_if_defined(residual);
    kernels::Epilogue<T> epilogue;
    epilogue.bias = data_or_null<T>(affine.bias);
    epilogue.activation = activation;
    epilogue.addend = data_or_null<T>(addend);
    kernels::gemm(matrix<T, const T>(rows), matrix<T, const T>(affine.weight).transposed(), matrix<T>(y), epilogue);
  });
  return y;
}

/// Turns what was before the activation into what is after it, and the gradient of the latter into that of the former.
template <class T>
void turn_back(Activation activation, const Tensor& hidden, const Tensor& dhidden) {
  if (activation == Activation::none) return;
  for (Index begin = 0; begin < hidden.size(); begin += block_elements) {
    kernels::table<T>().unary_with_gradient(kernels::function_of(activation), hidden.data<T>() + begin, dhidden.data<T>() + begin,
                                            std::min(block_elements, hidden.size() - begin));
  }
}

}  // namespace

Tensor feed_forward(const Tensor& x, const Affine& up, const Affine& down, Activation activation, const Tensor& residual) {
  check_shapes(x, up, down, residual);
  Shape shape = x.shape();
  shape.back() = down.weight.dim(0);
  const auto shaped = [&](const Tensor& rows) { return rows.view(shape, contiguous_strides(shape), 0); };
  const Affine first{packed(up.weight), packed_if_defined(up.bias)}, second{packed(down.weight), packed_if_defined(down.bias)};
  const Tensors inputs{x, up.weight, up.bias, down.weight, down.bias, residual};
  const Tensor rows = as_rows(x);
  if (!recording(inputs)) {
    return shaped(product(product(rows, first, activation, {}), second, Activation::none, residual));
  }
  const Tensor before = product(rows, first, Activation::none, {});
  const Tensor y = product(activated(before, activation), second, Activation::none, residual);
  return record(shaped(y), inputs, [=, up_weight = first.weight, down_weight = second.weight](Flow& flow) {
    const Tensor dy = as_rows(flow.dy()), hidden = before.unique() ? before : copy(before);
    const Tensor dhidden = Tensor::empty(before.shape(), before.type());
    dispatch(before.type(), [&]<class T>(T) {
      const auto flowing = matrix<T, const T>(dy);
      kernels::gemm(flowing, matrix<T, const T>(down_weight), matrix<T>(dhidden));
      turn_back<T>(activation, hidden, dhidden);
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
