#include "experiments/run/shards.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/run/masked_tokens.hpp"
#include "framework/core/autograd.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/select.hpp"
#include "framework/ops/softmax.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

const std::shared_ptr<Meter> meter = std::make_shared<Meter>();

Batch batch_of(Index rows) { return training_batch(*toy::corpus(), Random(1), 0, rows, 16); }

/// `hidden` decides how many passes a shard takes.
std::vector<double> sharded(const nn::Transformer& model, const Batch& batch, Index shards, int helpers, double* loss = nullptr,
                            Index hidden = 32) {
  Crew crew(helpers);
  ShardedGradient gradient(model, shards, hidden);
  const double found = gradient.compute(batch, Random(1), 0, crew, meter);
  if (loss) *loss = found;
  return gradient.gradient().values();
}

nn::Transformer make_model(const std::string& settings) {
  return nn::Transformer(toy::settings(settings).model, Corpus::vocabulary, 16, Random(2));
}

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return std::sqrt(sum);
}

TEST(ShardedGradient, EqualsTheGradientOfTheWholeBatch) {
  for (const char* position : {"{kind: learned, beyond: clamp}", "{kind: t5}"}) {
    const auto model = make_model(fmt::format("{{layers: 2, heads: 2, width: 8, position: {}}}", position));
    const Batch batch = batch_of(7);
    const Tensor whole_loss = mean(cross_entropy(model(batch.tokens), batch.targets));
    std::vector<double> whole;
    for (const Tensor& gradient : gradients(whole_loss, model.leaves())) {
      for (double value : gradient.values()) whole.push_back(value);
    }
    for (Index shards : {1, 3, 7}) {  // 3: shards of 2, 2 and 3 rows
      double loss = 0;
      std::vector<double> difference = sharded(model, batch, shards, 0, &loss);
      ASSERT_EQ(difference.size(), whole.size());
      for (std::size_t i = 0; i < whole.size(); ++i) difference[i] -= whole[i];
      EXPECT_LT(norm(difference), 2e-6 * norm(whole)) << position << ", " << shards << " shards";
      EXPECT_NEAR(loss, whole_loss.item(), 1e-6 * whole_loss.item());
    }
  }
}

/// Cross-entropy as plain operations, over the scored places.
Tensor mean_over_scored(const Tensor& logits, const Batch& batch) {
  std::vector<std::int32_t> places, targets;
  for (Index i = 0; i < batch.targets.size(); ++i) {
    const std::int32_t target = batch.targets.data<std::int32_t>()[i];
    if (target < 0) continue;
    places.push_back(static_cast<std::int32_t>(i));
    targets.push_back(target);
  }
  const auto count = static_cast<Index>(places.size());
  const Tensor rows = gather(reshape(logits, {-1, logits.dim(-1)}), 0, Tensor::of(places, {count}));
  return scale(mean(pick(log_softmax(rows), Tensor::of(targets, {count, 1}))), -1);
}

// Of masked tokens, each shard has another number.
TEST(ShardedGradient, IsThatOfTheMeanOverScoredTokens) {
  const auto corpus = toy::corpus();
  const auto settings = toy::settings("{kind: encoder, layers: 2, heads: 2, width: 8, position: {kind: t5}}");
  const nn::Transformer model(settings.model, 257, 16, Random(2), Type::f64);
  const Batch batch = MaskedTokens(0.2).held_out(*corpus, {4800, 4816, 4832, 4848, 4864, 4880, 4896}, 16);
  const Tensor whole_loss = mean_over_scored(model(batch.tokens, {.reference = true}), batch);
  std::vector<double> whole;
  for (const Tensor& gradient : gradients(whole_loss, model.leaves())) {
    for (double value : gradient.values()) whole.push_back(value);
  }
  for (Index shards : {1, 3, 7}) {
    for (Index hidden : {32, 1 << 14}) {
      double loss = 0;
      std::vector<double> difference = sharded(model, batch, shards, 1, &loss, hidden);
      ASSERT_EQ(difference.size(), whole.size());
      for (std::size_t i = 0; i < whole.size(); ++i) difference[i] -= whole[i];
      EXPECT_LT(norm(difference), 1e-12 * norm(whole)) << shards << " shards";
      EXPECT_NEAR(loss, whole_loss.item(), 1e-13 * loss);
    }
  }
}

TEST(ShardedGradient, IsTheSameInSeveralPasses) {
  const auto model = make_model("{layers: 2, heads: 2, width: 8, position: {kind: t5}}");
  const Batch batch = batch_of(7);
  double loss = 0, loss_in_passes = 0;
  const std::vector<double> whole = sharded(model, batch, 2, 0, &loss);
  for (Index hidden : {1 << 13, 1 << 14, 1 << 20}) {  // passes of 2, 1 and (as few as can be) 1 of the 16-token sequences
    std::vector<double> difference = sharded(model, batch, 2, 0, &loss_in_passes, hidden);
    EXPECT_NE(difference, whole) << "sums in another order, so some bits should differ: was it one pass?";
    for (std::size_t i = 0; i < whole.size(); ++i) difference[i] -= whole[i];
    EXPECT_LT(norm(difference), 2e-6 * norm(whole));
    EXPECT_NEAR(loss_in_passes, loss, 1e-6 * loss);
  }
}

TEST(ShardedGradient, HasTheSameBitsOnAnyNumberOfThreads) {
  const auto model = make_model("{layers: 2, heads: 2, width: 8, dropout: 0.2, position: {kind: t5}}");
  const Batch batch = batch_of(9);
  double first_loss = 0;
  const std::vector<double> first = sharded(model, batch, 5, 0, &first_loss);
  for (int threads : {2, 3, 8}) {
    double loss = 0;
    EXPECT_EQ(sharded(model, batch, 5, threads - 1, &loss), first) << threads << " threads";
    EXPECT_EQ(loss, first_loss);
  }
}

TEST(ShardedGradient, EveryShardAndStepDropsOtherElements) {
  const auto model = make_model("{layers: 1, heads: 2, width: 8, dropout: 0.5}");
  const auto corpus = toy::corpus();
  const Batch twice = windows(*corpus, {40, 40}, 16), once = windows(*corpus, {40}, 16);
  Crew crew(0);
  ShardedGradient two(model, 2, 32), one(model, 1, 32);
  const double both = two.compute(twice, Random(1), 0, crew, meter);
  const double first = one.compute(once, Random(1), 0, crew, meter);
  EXPECT_NE(both, first) << "two shards of the same row, were they dropped alike, would have the loss of one";
  EXPECT_NE(one.compute(once, Random(1), 1, crew, meter), first);
  EXPECT_EQ(one.compute(once, Random(1), 0, crew, meter), first);
}

TEST(ShardedGradient, EveryPassDropsOtherElements) {
  const auto model = make_model("{layers: 1, heads: 2, width: 8, dropout: 0.5}");
  const auto corpus = toy::corpus();
  const Batch twice = windows(*corpus, {40, 40}, 16), once = windows(*corpus, {40}, 16);
  Crew crew(0);
  ShardedGradient passes(model, 1, 1 << 14), one(model, 1, 1 << 14);
  EXPECT_NE(passes.compute(twice, Random(1), 0, crew, meter), one.compute(once, Random(1), 0, crew, meter))
      << "two passes of the same row, were they dropped alike, would have the loss of one";
}

}  // namespace
}  // namespace ropewalk
