#include "experiments/run/shards.hpp"

#include <algorithm>
#include <limits>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/softmax.hpp"

namespace ropewalk {
namespace {

/// Hidden values of one layer in a pass: a MiB of floats, about what a core has of its second cache.
constexpr Index pass_values = 1 << 18;

/// The stretches of a flat row that belong to each leaf.
Tensors stretches(const Tensor& row, const Tensors& leaves) {
  Tensors views;
  Index at = 0;
  for (const Tensor& leaf : leaves) {
    views.push_back(row.view(leaf.shape(), contiguous_strides(leaf.shape()), at));
    at += leaf.size();
  }
  return views;
}

}  // namespace

ShardedGradient::ShardedGradient(const nn::Transformer& model, Index shards, Index hidden, Ranks& ranks)
    : model_(model),
      leaves_(model.leaves()),
      shards_(shards),
      hidden_(hidden),
      ranks_(ranks),
      sum_(shards, model.parameter_count(), model.flat().type()) {}

double ShardedGradient::compute(const Batch& batch, const Random& random, Index step, Crew& crew,
                                const std::shared_ptr<Meter>& meter) {
  const Terms share = terms_of(ranks_.rank(), ranks_.count(), shards_);
  const auto by_rank = together(ranks_, [&] {
    std::vector<double> losses(static_cast<std::size_t>(share.size()));
    crew.run(share.size(), meter,
             [&](Index i) { losses[static_cast<std::size_t>(i)] = compute_shard(batch, random, step, share.begin + i); });
    return losses;
  });
  sum_over_ranks(sum_, ranks_);
  if (!ranks_.leads()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> losses;
  for (const std::vector<double>& of_rank : by_rank) losses.insert(losses.end(), of_rank.begin(), of_rank.end());
  return tree_sum(std::move(losses));
}

double ShardedGradient::compute_shard(const Batch& batch, const Random& random, Index step, Index shard) {
  const Index rows = batch.tokens.dim(0), begin = rows * shard / shards_, end = rows * (shard + 1) / shards_;
  const Index per_pass = std::max<Index>(1, pass_values / (hidden_ * batch.tokens.dim(1)));
  Tensor row = sum_.take();
  GradientSum gradient(leaves_, stretches(row, leaves_));
  double total = 0;
  for (Index first = begin; first < end; first += per_pass) {
    const Tensor loss = pass_loss(batch, random, step, first, std::min(first + per_pass, end));
    total += loss.item();
    gradient.add(loss);
  }
  gradient.finish();
  sum_.put(shard, std::move(row));
  return total;
}

Tensor ShardedGradient::pass_loss(const Batch& batch, const Random& random, Index step, Index begin, Index end) const {
  const Stream dropping = random.stream("dropout", static_cast<std::uint64_t>(step), static_cast<std::uint32_t>(begin));
  const positional::Draws draws{random, static_cast<std::uint64_t>(step), begin, /*training=*/true};
  const nn::Pass pass{.dropout = &dropping, .draws = &draws};
  const Tensor losses = cross_entropy(model_(slice(batch.tokens, 0, begin, end), pass), slice(batch.targets, 0, begin, end));
  return scale(sum(losses), 1.0 / static_cast<double>(batch.scored));
}

}  // namespace ropewalk
