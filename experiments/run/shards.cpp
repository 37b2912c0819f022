#include "experiments/run/shards.hpp"

#include <algorithm>

#include "framework/kernels/kernels.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/softmax.hpp"

namespace ropewalk {
namespace {

template <class Add>
void over_tree(std::size_t count, Add add) {
  for (std::size_t step = 1; step < count; step *= 2) {
    for (std::size_t left = 0; left + step < count; left += 2 * step) add(left, left + step);
  }
}

}  // namespace

void tree_sum(const std::vector<Tensor>& rows) {
  over_tree(rows.size(), [&](std::size_t left, std::size_t right) {
    dispatch(rows[left].type(),
             [&]<class T>(T) { kernels::table<T>().accumulate(rows[right].data<T>(), rows[left].data<T>(), rows[left].size()); });
  });
}

double tree_sum(std::vector<double> values) {
  over_tree(values.size(), [&](std::size_t left, std::size_t right) { values[left] += values[right]; });
  return values.front();
}

ShardedGradient::ShardedGradient(const nn::Transformer& model, Index shards) : model_(model), leaves_(model.leaves()) {
  for (Index shard = 0; shard < shards; ++shard) rows_.push_back(Tensor::empty({model.parameter_count()}, model.flat().type()));
}

double ShardedGradient::compute(const Batch& batch, const Random& random, Index step, Crew& crew,
                                const std::shared_ptr<Meter>& meter) {
  std::vector<double> losses(rows_.size());
  crew.run(static_cast<Index>(rows_.size()), meter,
           [&](Index shard) { losses[static_cast<std::size_t>(shard)] = compute_shard(batch, random, step, shard); });
  tree_sum(rows_);
  return tree_sum(std::move(losses));
}

double ShardedGradient::compute_shard(const Batch& batch, const Random& random, Index step, Index shard) const {
  const Index rows = batch.tokens.dim(0), shards = static_cast<Index>(rows_.size());
  const Index begin = rows * shard / shards, end = rows * (shard + 1) / shards;
  const Stream dropping = random.stream("dropout", static_cast<std::uint64_t>(step), static_cast<std::uint32_t>(shard));
  nn::Pass pass;
  pass.dropout = &dropping;
  const Tensor logits = model_(slice(batch.tokens, 0, begin, end), pass);
  const Tensor losses = cross_entropy(logits, slice(batch.targets, 0, begin, end));
  const Tensor loss = scale(sum(losses), 1.0 / static_cast<double>(batch.tokens.size()));
  const Tensors found = gradients(loss, leaves_);
  Index at = 0;
  dispatch(loss.type(), [&]<class T>(T) {
    T* row = rows_[static_cast<std::size_t>(shard)].data<T>();
    for (const Tensor& gradient : found) {
      std::copy_n(packed(gradient).data<T>(), gradient.size(), row + at);
      at += gradient.size();
    }
  });
  return loss.item();
}

}  // namespace ropewalk
