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

void gemm(Matrix<const double> a, Matrix<const double> b, Matrix<double> c, bool accumulate) { multiply(a, b, c, accumulate); }

void gemm_fused(Matrix<const double> a, Matrix<const double> b, const double* bias, Activation activation, Matrix<double> c) {
  multiply(a, b, c, false);
  const Table<double>& kernel = table<double>();
  for (Index row = 0; row < c.rows; ++row) {
    double* values = c.data + row * c.row_stride;
    kernel.accumulate(bias, values, c.columns);
    if (activation != Activation::none) kernel.unary(function_of(activation), values, 1, values, c.columns);
  }
}

void gemm_reference(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, bool accumulate) {
  multiply(a, b, c, accumulate);
}

void gemm_reference(Matrix<const double> a, Matrix<const double> b, Matrix<double> c, bool accumulate) {
  multiply(a, b, c, accumulate);
}

}  // namespace ropewalk::kernels
