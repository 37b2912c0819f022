#include "framework/core/error.hpp"
#include "framework/kernels/gemm.hpp"

namespace ropewalk::kernels {

Unary function_of(Activation activation) {
  switch (activation) {
    case Activation::relu: return Unary::relu;
    case Activation::silu: return Unary::silu;
    case Activation::gelu: return Unary::gelu;
    case Activation::gelu_tanh: return Unary::gelu_tanh;
    case Activation::none: break;
  }
  throw Error("function_of: no activation is not a function");
}

template <class T>
void finish(Matrix<T> c, const Epilogue<T>& epilogue) {
  const Table<T>& kernel = table<T>();
  for (Index row = 0; row < c.rows; ++row) {
    T* values = c.data + row * c.row_stride;
    if (epilogue.bias) kernel.accumulate(epilogue.bias, values, c.columns);
    if (epilogue.activation != Activation::none) kernel.unary(function_of(epilogue.activation), values, 1, values, c.columns);
    if (epilogue.addend) kernel.accumulate(epilogue.addend + row * c.row_stride, values, c.columns);
  }
}

template void finish(Matrix<float>, const Epilogue<float>&);
template void finish(Matrix<double>, const Epilogue<double>&);

}  // namespace ropewalk::kernels
