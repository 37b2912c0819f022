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
