// One training step's gradient, computed shard by shard and summed in a fixed tree: the same bits on any number of threads.
#pragma once

#include <vector>

#include "experiments/run/batch.hpp"
#include "experiments/run/crew.hpp"
#include "framework/nn/transformer.hpp"

namespace ropewalk {

/// Sums row 0 … n − 1 of equally long rows into row 0, pairwise: ((0 + 1) + (2 + 3)) + … . The order depends on n alone.
void tree_sum(const std::vector<Tensor>& rows);
double tree_sum(std::vector<double> values);

/// Gradients of a model's flat parameters.
class ShardedGradient {
 public:
  ShardedGradient(const nn::Transformer& model, Index shards);

  /// Mean loss in nats per scored token. The gradient [P] of that mean is left in `gradient()`. Dropout
  /// draws from a stream of `random` for this step and each shard.
  double compute(const Batch& batch, const Random& random, Index step, Crew& crew, const std::shared_ptr<Meter>& meter);

  const Tensor& gradient() const { return rows_.front(); }

 private:
  double compute_shard(const Batch& batch, const Random& random, Index step, Index shard) const;

  const nn::Transformer& model_;
  Tensors leaves_;
  std::vector<Tensor> rows_;  ///< a flat gradient [P] for each shard
};

}  // namespace ropewalk
