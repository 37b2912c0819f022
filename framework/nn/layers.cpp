#include "framework/nn/layers.hpp"

#include "framework/ops/normalize.hpp"

namespace ropewalk::nn {

Linear::Linear(Index in, Index out, double deviation, Stream stream, Type type, bool has_bias)
    : weight_(normal({out, in}, deviation, stream, type)) {
  if (has_bias) bias_ = Tensor::zeros({out}, type);
}

Tensor Linear::operator()(const Tensor& x, Activation activation) const { return linear(x, weight_, bias_, activation); }

void Linear::collect(const std::string& prefix, Parameters& parameters) {
  parameters.push_back({prefix + ".weight", &weight_, true});
  if (bias_.defined()) parameters.push_back({prefix + ".bias", &bias_, false});
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
