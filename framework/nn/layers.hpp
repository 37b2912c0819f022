// The learned layers a Transformer is made of. Each names its parameters as the checkpoint does.
#pragma once

#include <string>

#include "framework/core/parameter.hpp"
#include "framework/core/random.hpp"
#include "framework/ops/matmul.hpp"

namespace ropewalk::nn {

/// x weightᵀ + bias; weight [out, in] from N(0, deviation²), bias 0.
class Linear {
 public:
  Linear() = default;
  Linear(Index in, Index out, double deviation, Stream stream, Type type, bool has_bias = true);

  Tensor operator()(const Tensor& x, Activation activation = Activation::none) const;
  void collect(const std::string& prefix, Parameters& parameters);

 private:
  Tensor weight_, bias_;
};

/// Layer or RMS normalisation over the last axis; weight 1, bias 0 (layer only).
class Norm {
 public:
  Norm() = default;
  Norm(bool rms, Index width, Type type);

  Tensor operator()(const Tensor& x) const;
  void collect(const std::string& prefix, Parameters& parameters);

 private:
  bool rms_ = false;
  Tensor weight_, bias_;
};

}  // namespace ropewalk::nn
