#include "framework/nn/block.hpp"

#include <cmath>

#include "framework/ops/elementwise.hpp"

namespace ropewalk::nn {
namespace {

constexpr double deviation = 0.02;  // GPT-2 (Radford et al. 2019)

Activation activation_of(const std::string& name) {
  if (name == "gelu") return Activation::gelu;
  if (name == "gelu_tanh") return Activation::gelu_tanh;
  if (name == "relu") return Activation::relu;
  if (name == "silu") return Activation::silu;
  if (name == "swiglu") return Activation::none;
  throw Error(fmt::format("activation: expected gelu, gelu_tanh, relu, silu or swiglu, got {}", name));
}

/// Branches that add to the residual stream start smaller, so that its variance does not grow with depth (GPT-2, §2.3).
double residual_deviation(const TransformerSettings& settings) {
  return deviation / std::sqrt(2.0 * static_cast<double>(settings.layers));
}

}  // namespace

FeedForward::FeedForward(const TransformerSettings& settings, double residual, const std::string& name, const Random& random,
                         Type type)
    : gated_(settings.activation == "swiglu"), activation_(activation_of(settings.activation)) {
  const Index width = settings.width, hidden = settings.hidden_width();
  const auto stream = [&](const char* part) { return random.stream("initialize " + name + ".mlp." + part); };
  up_ = Linear(width, hidden, deviation, stream("up"), type);
  if (gated_) gate_ = Linear(width, hidden, deviation, stream("gate"), type);
  down_ = Linear(hidden, width, residual, stream("down"), type);
}

Tensor FeedForward::operator()(const Tensor& x, const Tensor& residual) const {
  if (gated_) return down_(multiply(silu(gate_(x)), up_(x)), residual);
  return feed_forward(x, up_.affine(), down_.affine(), activation_, residual);
}

void FeedForward::collect(const std::string& prefix, Parameters& parameters) {
  up_.collect(prefix + ".up", parameters);
  if (gated_) gate_.collect(prefix + ".gate", parameters);
  down_.collect(prefix + ".down", parameters);
}

Block::Block(const TransformerSettings& settings, const std::string& name, const Random& random, Type type)
    : norm1_(settings.norm == "rms", settings.width, type),
      norm2_(settings.norm == "rms", settings.width, type),
      qkv_(settings.width, 3 * settings.width, deviation, random.stream("initialize " + name + ".attention.qkv"), type),
      out_(settings.width, settings.width, residual_deviation(settings), random.stream("initialize " + name + ".attention.out"),
           type),
      mlp_(settings, residual_deviation(settings), name, random, type) {}

Tensor Block::operator()(Tensor x, const Dropout& dropout, const Attend& attend) const {
  // A branch adds itself to the residual stream on its way to memory, unless something is dropped in between.
  const auto add_branch = [&](auto branch) { return dropout ? add(x, dropout(branch(Tensor()))) : branch(x); };
  x = add_branch([&](const Tensor& residual) {
    const Projected projected = project(x);
    return out_(attend(projected.input, projected.qkv), residual);
  });
  return add_branch([&](const Tensor& residual) { return mlp_(norm2_(x), residual); });
}

Projected Block::project(const Tensor& x) const {
  const Tensor normalised = norm1_(x);
  return {normalised, qkv_(normalised)};
}

void Block::collect(const std::string& prefix, Parameters& parameters) {
  norm1_.collect(prefix + ".norm1", parameters);
  qkv_.collect(prefix + ".attention.qkv", parameters);
  out_.collect(prefix + ".attention.out", parameters);
  norm2_.collect(prefix + ".norm2", parameters);
  mlp_.collect(prefix + ".mlp", parameters);
}

}  // namespace ropewalk::nn
