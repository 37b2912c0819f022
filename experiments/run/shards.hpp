// One training step's gradient, computed shard by shard and summed in a fixed tree: the same bits on any number of threads and
// ranks.
#pragma once

#include "experiments/run/batch.hpp"
#include "experiments/run/crew.hpp"
#include "experiments/run/shares.hpp"
#include "experiments/run/tree_sum.hpp"
#include "framework/nn/transformer.hpp"

namespace ropewalk {

/// Gradients of a model's flat parameters.
class ShardedGradient {
 public:
  /// A shard goes through the model in passes of as many sequences as keep the activations of a layer in the cache; `hidden` is
  /// the width of its feed-forward part. Each rank does its share of the shards.
  ShardedGradient(const nn::Transformer& model, Index shards, Index hidden, Ranks& ranks = alone());

  /// Mean loss in nats per scored token. The gradient [P] of that mean is left in `gradient()`. Dropout draws from a stream of
  /// `random` for this step and each pass. Called on all ranks; the loss and the gradient are the leader's, the others get NaN.
  double compute(const Batch& batch, const Random& random, Index step, Crew& crew, const std::shared_ptr<Meter>& meter);

  const Tensor& gradient() const { return sum_.total(); }

 private:
  double compute_shard(const Batch& batch, const Random& random, Index step, Index shard);
  Tensor pass_loss(const Batch& batch, const Random& random, Index step, Index begin, Index end) const;

  const nn::Transformer& model_;
  Tensors leaves_;
  Index shards_, hidden_;
  Ranks& ranks_;
  TreeSum sum_;
};

}  // namespace ropewalk
