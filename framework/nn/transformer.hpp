// The toy Transformer, decoder or encoder: embedding, pre-norm blocks, final norm, head.
#pragma once

#include <memory>
#include <vector>

#include "framework/core/autograd.hpp"
#include "framework/nn/block.hpp"
#include "framework/nn/settings.hpp"

namespace ropewalk::nn {

/// What may differ between one forward pass and another.
struct Pass {
  const Stream* dropout = nullptr;  ///< null: evaluation, nothing is dropped
  bool reference = false;           ///< dense attention made of plain operations
};

/// Weights start from N(0, 0.02²), those that end a residual branch from N(0, 0.02²/(2·layers)); biases 0, norms 1 (GPT-2). Every
/// parameter has a stream of its own, so a scheme's parameters change no other's start.
class Transformer {
 public:
  Transformer(const TransformerSettings&, Index vocabulary, Index trained_length, const Random&, Type type = Type::f32);
  Transformer(const Transformer&) = delete;
  Transformer& operator=(const Transformer&) = delete;

  /// tokens i32 [B, T] -> logits [B, T, V]; safe to call from several threads at once.
  Tensor operator()(const Tensor& tokens, const Pass& pass = {}) const;
  /// The same at positions of the caller's choice, one for each of the T indices.
  Tensor operator()(const Tensor& tokens, const positional::Positions& positions, const Pass& pass = {}) const;

  /// False for a length at which the scheme cannot say anything.
  bool reaches(Index length) const { return schemes_.front()->reaches(length); }

  /// By name, in a fixed order. Each tensor is a leaf and a view into `flat()`.
  const Parameters& parameters() const { return parameters_; }
  Tensors leaves() const;
  /// All parameters in one row [P]; writing to it changes the model.
  const Tensor& flat() const { return flat_; }
  Index parameter_count() const { return flat_.size(); }

 private:
  Tensor forward(Tensor x, const positional::Positions& positions, const Pass& pass) const;
  std::vector<AttentionTerms> terms(const positional::Positions& positions) const;
  void collect();
  void flatten();

  Index layers_;
  bool causal_, tied_;
  double dropout_;
  Type type_;
  Choice<positional::Sampler> sampler_;
  std::vector<std::unique_ptr<positional::Scheme>> schemes_;  ///< one, or one for each layer
  Tensor embedding_, head_;
  std::vector<Block> blocks_;
  Norm norm_;
  Parameters parameters_;
  Tensor flat_;
};

}  // namespace ropewalk::nn
