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

/// Activations between two products. One more needs its function and derivative in `Unary` (kernels.hpp, simd/elementwise.cpp,
/// ops/elementwise), a case in `function_of` and in gemm_onednn.cpp, and its name in nn/block.cpp and nn/settings.cpp. One that
/// oneDNN lacks runs through `finish`.
enum class Activation { none, relu, silu, gelu, gelu_tanh };

/// The element-wise function of an activation that is not `none`.
Unary function_of(Activation activation);

/// What happens to a product on its way to memory.
template <class T>
struct Epilogue {
  const T* bias = nullptr;  ///< [N], added to each row; nullptr: none
  Activation activation = Activation::none;
  const T* addend = nullptr;  ///< laid out like c, of which it is no part; nullptr: none
  bool accumulate = false;    ///< adds to c; only without the others
};

/// The steps of an epilogue one after the other, on a product that is in c.
template <class T>
void finish(Matrix<T> c, const Epilogue<T>& epilogue);

/// c = activation(a b + bias) + addend, or c += a b, in f32 in one pass over c. Shapes [M, K] [K, N] [M, N]; c has column stride
/// 1. An empty K gives zeros for a b. f32 runs on oneDNN; f64 on Eigen.
void gemm(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, const Epilogue<float>& epilogue = {});
void gemm(Matrix<const double> a, Matrix<const double> b, Matrix<double> c, const Epilogue<double>& epilogue = {});

/// The same on Eigen in both types, step by step: the reference that the fast one is held against.
void gemm_reference(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, const Epilogue<float>& epilogue = {});
void gemm_reference(Matrix<const double> a, Matrix<const double> b, Matrix<double> c, const Epilogue<double>& epilogue = {});

/// Name and version of the library behind f32: "oneDNN 2.6.3".
std::string gemm_library();
/// The instructions it uses on this processor, as it numbers them (dnnl_cpu_isa_t): "isa 0xff". Another number may round
/// differently.
std::string gemm_instruction_set();

}  // namespace ropewalk::kernels
