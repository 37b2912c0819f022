// Scaled dot-product attention with what positional schemes do inside it.
#pragma once

#include <memory>

#include "framework/core/autograd.hpp"
#include "framework/kernels/kernels.hpp"

namespace ropewalk {

/// Rotation of queries and keys (rope): cosine and sine of the angles, [T, pairs], in the type of the model.
struct RotationTables {
  Tensor cosine, sine;
  bool interleaved = true;

  bool defined() const { return cosine.defined(); }
};

/// A bias of the scores as the block kernel sees it. `inputs` are the tensors it is made of; the rule of attention returns their
/// gradients. One object serves one call: it collects the gradients while the backward pass goes through the blocks.
class BlockBias {
 public:
  virtual ~BlockBias() = default;
  virtual Tensors inputs() const = 0;
  virtual Type type() const = 0;
  /// Throws unless it has values for that many heads and every pair of query and key.
  virtual void check_covers(Index heads, Index queries, Index keys) const = 0;
  /// Whether a gradient of an input is asked for; if not, nothing is collected.
  virtual bool tracked() const = 0;
  /// The hook for the kernel; exactly one of the two is called, by `type()`.
  virtual kernels::ScoreBias<float>* hook(float) = 0;
  virtual kernels::ScoreBias<double>* hook(double) = 0;
  /// What was collected, in the order of `inputs`; called once, after the backward pass.
  virtual Tensors gradients() = 0;
  /// The same bias as a dense [H, T, T] tensor made of differentiable operations: the reference.
  virtual Tensor dense(Index queries, Index keys) const = 0;
};

/// A bias that depends on key − query alone: values [H, 2T − 1], entry key − query + T − 1. Memory linear in the length.
std::shared_ptr<BlockBias> distance_bias(const Tensor& values);

/// What attention is given besides queries, keys and values.
struct AttentionTerms {
  bool causal = true;
  RotationTables rotation;          ///< undefined: nothing rotates
  std::shared_ptr<BlockBias> bias;  ///< null: nothing is added
};

/// softmax(q·k/√d + bias) v for queries, keys and values that lie side by side: qkv [B, T, 3D], each of the thirds split into
/// heads -> [B, T, D]. Never stores [B, H, T, T]: blocks of queries and keys, scores recomputed on the way back (Dao et al.
/// 2022). Where nothing is recorded, a long sequence is cut into pieces for `parallel`.
Tensor attention(const Tensor& qkv, Index heads, const AttentionTerms& terms);

/// The same, composed of plain operations on dense scores; slow, obvious, and what the other is tested against.
Tensor attention_reference(const Tensor& qkv, Index heads, const AttentionTerms& terms);

}  // namespace ropewalk
