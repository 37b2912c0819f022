// The learned layers a Transformer is made of. Each names its parameters as the checkpoint does.
#pragma once

#include <string>

#include "framework/core/parameter.hpp"
#include "framework/core/random.hpp"
#include "framework/ops/feed_forward.hpp"

namespace ropewalk::nn {

/// x weightᵀ + bias; weight [out, in] from N(0, deviation²), bias 0.
class Linear {
 public:
  Linear() = default;
  Linear(Index in, Index out, double deviation, Stream stream, Type type, bool has_bias = true);

  /// The residual, shaped like the result, is added; it may be undefined.
  Tensor operator()(const Tensor& x, const Tensor& residual = {}) const;
  const Affine& affine() const { return affine_; }  ///< for ops that work on several layers at once, as feed_forward does
  void collect(const std::string& prefix, Parameters& parameters);

 private:
  Affine affine_;
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
