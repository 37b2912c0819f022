// Matrix multiplication on plain pointers, single-threaded whatever the library underneath would like.
#pragma once

#include <cstdint>
#include <string>

#include "framework/kernels/kernels.hpp"

namespace ropewalk::kernels {

/// A matrix in memory; one of its two strides must be 1.
template <class T>
struct Matrix {
  T* data;
  Index rows, columns;
  Index row_stride, column_stride;

  Matrix transposed() const { return {data, columns, rows, column_stride, row_stride}; }
};

/// c = a b, or c += a b. Shapes [M, K] [K, N] [M, N]; c has column stride 1. An empty K gives zeros.
/// f32 runs on oneDNN; f64 on Eigen.
void gemm(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, bool accumulate = false);
void gemm(Matrix<const double> a, Matrix<const double> b, Matrix<double> c, bool accumulate = false);

enum class Activation { none, relu, silu, gelu, gelu_tanh };

/// The element-wise function of an activation that is not `none`.
Unary function_of(Activation activation);

/// c = f(a b + bias), bias [N]; in f32 in one pass over c.
void gemm_fused(Matrix<const float> a, Matrix<const float> b, const float* bias, Activation activation, Matrix<float> c);
void gemm_fused(Matrix<const double> a, Matrix<const double> b, const double* bias, Activation activation, Matrix<double> c);

/// The same on Eigen in both types: the reference that the fast one is held against.
void gemm_reference(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, bool accumulate = false);
void gemm_reference(Matrix<const double> a, Matrix<const double> b, Matrix<double> c, bool accumulate = false);

/// Name and version of the library behind f32: "oneDNN 2.6.3".
std::string gemm_library();

}  // namespace ropewalk::kernels
