// What a positional scheme adds to attention scores.
#pragma once

#include <functional>
#include <memory>

#include "framework/core/tensor.hpp"
#include "framework/kernels/kernels.hpp"

namespace ropewalk {

/// Some queries of an attention with all keys that they may see, for what is computed with all scores at once.
struct DenseBlock {
  Tensor query;            ///< [B, H, q, d], as projected: not rotated
  Tensor key;              ///< [B, H, k, d], the same
  kernels::Range queries;  ///< which queries of the attention they are; the keys are those from 0 on
  Index all_queries = 0;   ///< how many the attention has
  Index all_keys = 0;
  double scale = 1;  ///< of query . key

  Index keys() const { return key.dim(2); }
  /// Index of the last key that query i of the block sees under a causal mask.
  Index last_seen(Index i) const { return queries.begin + i + all_keys - all_queries; }
};

/// 1 where a causal mask hides a key from a query of the block, i32 [q, k].
Tensor hidden_keys(const DenseBlock& block);

/// The form of a term for the kernel, which asks for blocks of [keys, queries] and hands back their gradients. It serves one
/// call.
struct FusedBias {
  std::shared_ptr<kernels::ScoreBias<float>> single;  ///< the one of the two that fits the type of the model
  std::shared_ptr<kernels::ScoreBias<double>> twice;
  /// Gradients of the term's inputs, once the backward pass is through all blocks; undefined for one that nobody asks for.
  std::function<Tensors()> gradients;
};

/// Something that is added to scores before the softmax.
class ScoreTerm {
 public:
  virtual ~ScoreTerm() = default;
  /// The tensors it is made of; attention returns their gradients.
  virtual Tensors inputs() const { return {}; }
  /// What is added, broadcasting to [B, H, q, k]: the reference, made of differentiable operations on `inputs`, which stand in
  /// the place of `inputs()`.
  virtual Tensor dense(const DenseBlock& block, const Tensors& inputs) const = 0;
  /// True if it is worked out from the queries and keys themselves, so that it says nothing without them.
  virtual bool reads_content() const { return false; }
  /// False for a term that has a dense form alone; attention then works through its queries in slices, with all their keys.
  virtual bool has_fused() const { return true; }
  /// The form for the kernel. `collects`: whether gradients will be asked for. Throws if the term does not cover the heads and
  /// the pairs of queries and keys.
  virtual FusedBias fused(Index /*heads*/, Index /*queries*/, Index /*keys*/, Type, bool /*collects*/) const { return {}; }
};

/// A FusedBias of Hook<float> or Hook<double>, which has `Tensors gradients()`, made of the arguments.
template <template <class> class Hook, class... Arguments>
FusedBias fuse(Type type, const Arguments&... arguments) {
  FusedBias fused;
  const auto set = [&](auto& place, auto hook) {
    place = hook;
    fused.gradients = [hook] { return hook->gradients(); };
  };
  if (type == Type::f32) {
    set(fused.single, std::make_shared<Hook<float>>(arguments...));
  } else {
    set(fused.twice, std::make_shared<Hook<double>>(arguments...));
  }
  return fused;
}

}  // namespace ropewalk
