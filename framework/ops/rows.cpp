#include "framework/ops/rows.hpp"

namespace ropewalk {
namespace {

Tensor packed_if_defined(const Tensor& x) { return x.defined() ? packed(x) : Tensor(); }

template <class T>
const T* data_or_null(const Tensor& x) {
  return x.defined() ? x.data<T>() : nullptr;
}

}  // namespace

Tensor as_rows(const Tensor& x) {
  const Tensor source = packed(x);
  const Index columns = x.dim(-1);
  const Index rows = columns == 0 ? size_of(Shape(x.shape().begin(), x.shape().end() - 1)) : x.size() / columns;
  return source.view({rows, columns}, {columns, 1}, 0);
}

Tensor product(const Tensor& rows, const Tensor& weight, const Tensor& bias, kernels::Activation activation,
               const Tensor& residual) {
  const Tensor matrix_weight = packed(weight), offsets = packed_if_defined(bias), addend = packed_if_defined(residual);
  const Tensor y = Tensor::empty({rows.dim(0), weight.dim(0)}, rows.type());
  dispatch(rows.type(), [&]<class T>(T) {
    kernels::Epilogue<T> epilogue;
    epilogue.bias = data_or_null<T>(offsets);
    epilogue.activation = activation;
    epilogue.addend = data_or_null<T>(addend);
    kernels::gemm(matrix<T, const T>(rows), matrix<T, const T>(matrix_weight).transposed(), matrix<T>(y), epilogue);
  });
  return y;
}

}  // namespace ropewalk
