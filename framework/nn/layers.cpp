#include "framework/nn/layers.hpp"

#include "framework/ops/matmul.hpp"
#include "framework/ops/normalize.hpp"

namespace ropewalk::nn {

Linear::Linear(Index in, Index out, double deviation, Stream stream, Type type, bool has_bias) {
  affine_.weight = normal({out, in}, deviation, stream, type);
  if (has_bias) affine_.bias = Tensor::zeros({out}, type);
}

Tensor Linear::operator()(const Tensor& x, const Tensor& residual) const {
  return linear(x, affine_.weight, affine_.bias, residual);
}

void Linear::collect(const std::string& prefix, Parameters& parameters) {
  parameters.push_back({prefix + ".weight", &affine_.weight, true});
  if (affine_.bias.defined()) parameters.push_back({prefix + ".bias", &affine_.bias, false});
}

Norm::Norm(bool rms, Index width, Type type) : rms_(rms), weight_(Tensor::full({width}, 1, type)) {
  if (!rms) bias_ = Tensor::zeros({width}, type);
}

Tensor Norm::operator()(const Tensor& x) const { return rms_ ? rms_norm(x, weight_) : layer_norm(x, weight_, bias_); }

void Norm::collect(const std::string& prefix, Parameters& parameters) {
  parameters.push_back({prefix + ".weight", &weight_, false});
  if (bias_.defined()) parameters.push_back({prefix + ".bias", &bias_, false});
}

}  // namespace ropewalk::nn
