// One pre-norm block: attention and a feed-forward part, each on a residual branch.
#pragma once

#include <functional>

#include "framework/nn/layers.hpp"
#include "framework/nn/settings.hpp"

namespace ropewalk::nn {

/// Applied to the embedding and to what each residual branch adds; empty if nothing is dropped.
using Dropout = std::function<Tensor(const Tensor&)>;

/// Mixes the values of a layer: its normalised input x [B, T, D] and the projections qkv [B, T, 3D] -> [B, T, D].
using Attend = std::function<Tensor(const Tensor& x, const Tensor& qkv)>;

/// down(activation(up(x))), or down(silu(gate(x)) · up(x)) for swiglu (Shazeer 2020); plus a residual, which may be undefined.
class FeedForward {
 public:
  FeedForward() = default;
  FeedForward(const TransformerSettings&, double residual_deviation, const std::string& name, const Random&, Type);

  Tensor operator()(const Tensor& x, const Tensor& residual) const;
  void collect(const std::string& prefix, Parameters& parameters);

 private:
  bool gated_ = false;
  Activation activation_ = Activation::none;
  Linear up_, gate_, down_;
};

/// What the attention of a layer works on: its normalised input x [B, T, D] and the projections qkv [B, T, 3D].
struct Projected {
  Tensor input, qkv;
};

class Block {
 public:
  Block(const TransformerSettings&, const std::string& name, const Random&, Type);

  /// x [B, T, D] -> [B, T, D]
  Tensor operator()(Tensor x, const Dropout&, const Attend&) const;
  Projected project(const Tensor& x) const;
  void collect(const std::string& prefix, Parameters& parameters);

 private:
  Norm norm1_, norm2_;
  Linear qkv_, out_;
  FeedForward mlp_;
};

}  // namespace ropewalk::nn
