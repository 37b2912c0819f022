#include <Eigen/Core>

#include "framework/core/error.hpp"
#include "framework/kernels/gemm.hpp"

namespace ropewalk::kernels {
namespace {

using AnyStride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
auto map(Matrix<const T> matrix) {
  return Eigen::Map<const RowMajor<T>, Eigen::Unaligned, AnyStride>(matrix.data, matrix.rows, matrix.columns,
                                                                    AnyStride(matrix.row_stride, matrix.column_stride));
}

template <class T>
void multiply(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, bool accumulate) {
  Eigen::Map<RowMajor<T>, Eigen::Unaligned, Eigen::OuterStride<>> result(c.data, c.rows, c.columns,
                                                                         Eigen::OuterStride<>(c.row_stride));
  if (!accumulate) result.setZero();
  if (a.columns == 0) return;
  result.noalias() += map(a) * map(b);
}

template <class T>
void compose(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, const Epilogue<T>& epilogue) {
  check(!epilogue.accumulate || (!epilogue.bias && !epilogue.addend && epilogue.activation == Activation::none),
        "gemm: a product is added to what is there, or gets a bias, an activation and an addend");
  multiply(a, b, c, epilogue.accumulate);
  finish(c, epilogue);
}

}  // namespace

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

void gemm(Matrix<const double> a, Matrix<const double> b, Matrix<double> c, const Epilogue<double>& epilogue) {
  compose(a, b, c, epilogue);
}

void gemm_reference(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, const Epilogue<float>& epilogue) {
  compose(a, b, c, epilogue);
}

void gemm_reference(Matrix<const double> a, Matrix<const double> b, Matrix<double> c, const Epilogue<double>& epilogue) {
  compose(a, b, c, epilogue);
}

}  // namespace ropewalk::kernels
