// The toy Transformer, decoder or encoder: embedding, pre-norm blocks, final norm, head.
#pragma once

#include <memory>
#include <vector>

#include "framework/core/autograd.hpp"
#include "framework/nn/block.hpp"
#include "framework/nn/cache.hpp"
#include "framework/nn/positioning.hpp"
#include "framework/nn/settings.hpp"

namespace ropewalk::nn {

/// The tokens that a model knows.
struct Vocabulary {
  Index size = 0;
  positional::Marks marks = {};

  Vocabulary(Index size, positional::Marks marks = {}) : size(size), marks(std::move(marks)) {}
};

/// What may differ between one forward pass and another.
struct Pass {
  const Stream* dropout = nullptr;           ///< null: evaluation, nothing is dropped
  const positional::Draws* draws = nullptr;  ///< null: positions as in an evaluation without chance
  bool reference = false;                    ///< dense attention made of plain operations
};

/// Sequences on their way to the weights of the first layer, for looking at.
struct FirstLayer {
  Tensor token_embedding;  ///< [B, T, D]
  Tensor added;            ///< [B, T, D], what the scheme adds to it; undefined: nothing
  Tensor sum;              ///< [B, T, D]
  AttentionMap attention;
};

/// Weights start from N(0, 0.02²), those that end a residual branch from N(0, 0.02²/(2·layers)); biases 0, norms 1 (GPT-2). Every
/// parameter has a stream of its own, so a scheme's parameters change no other's start.
class Transformer {
 public:
  Transformer(const TransformerSettings&, const Vocabulary&, Index trained_length, const Random&, Type type = Type::f32);
  Transformer(const Transformer&) = delete;
  Transformer& operator=(const Transformer&) = delete;

  /// tokens i32 [B, T] -> logits [B, T, V]; safe to call from several threads at once.
  Tensor operator()(const Tensor& tokens, const Pass& pass = {}) const;
  /// The same at positions of the caller's choice, one for each of the T indices.
  Tensor operator()(const Tensor& tokens, const positional::Positions& positions, const Pass& pass = {}) const;

  /// Logits [B, n, V] of n tokens that follow those in the cache, which takes them in; not recorded. Equal to the logits of the
  /// whole: where the scheme depends on the length, everything before is computed again.
  Tensor next(const Tensor& tokens, Cache& cache) const;

  /// Tokens i32 [B, T] in an evaluation without chance; not recorded. Memory grows with the square of T.
  FirstLayer first_layer(const Tensor& tokens) const;

  /// Tokens i32 [B, T] in an evaluation -> how each head spreads its weights, means over the queries of a sequence, f64
  /// [layers, B, H]; not recorded. Memory is linear in T.
  AttentionSpread mean_spread(const Tensor& tokens, const positional::Draws* draws = nullptr) const;

  /// False for a length at which the scheme cannot say anything.
  bool reaches(Index length) const { return positioning_.reaches(length); }
  const Positioning& positioning() const { return positioning_; }
  const positional::Sampler& sampler() const { return *sampler_; }

  /// By name, in a fixed order. Each tensor is a leaf and a view into `flat()`.
  const Parameters& parameters() const { return parameters_; }
  Tensors leaves() const;
  /// All parameters in one row [P]; writing to it changes the model.
  const Tensor& flat() const { return flat_; }
  Index parameter_count() const { return flat_.size(); }

 private:
  /// How the attention of a layer works in a pass.
  using LayerAttention = std::function<Tensor(Index layer, const Tensor& x, const Tensor& qkv)>;

  Tensor embedded(const Tensor& tokens, const positional::Positions& positions, const positional::Draws* draws) const;
  Tensor through_blocks(Tensor x, const Dropout& drop, const LayerAttention& attend) const;
  void collect();
  void flatten();

  Index heads_;
  bool tied_;
  double dropout_;
  Type type_;
  Choice<positional::Sampler> sampler_;
  Positioning positioning_;
  Tensor embedding_, head_;
  std::vector<Block> blocks_;
  Norm norm_;
  Parameters parameters_;
  Tensor flat_;
};

}  // namespace ropewalk::nn
