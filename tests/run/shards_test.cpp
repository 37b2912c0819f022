#include "experiments/run/shards.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "framework/core/autograd.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/softmax.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

const std::shared_ptr<Meter> meter = std::make_shared<Meter>();

TEST(TreeSum, AddsNeighboursFirst) {
  // In double, 1e16 + 1 is 1e16, so the order shows: ((a + b) + (c + d)) + e, where one after the other would give 1 and 2.
  EXPECT_EQ(tree_sum({1e16, 1, -1e16, 1}), 0.0);
  EXPECT_EQ(tree_sum({1e16, 1, -1e16, 1, 1}), 1.0);
  EXPECT_EQ(tree_sum(std::vector<double>{7}), 7.0);
}

TEST(TreeSum, AddsRowsInTheSameOrder) {
  std::vector<Tensor> rows;
  for (double value : {1e16, 1.0, -1e16, 1.0, 1.0}) rows.push_back(Tensor::of({value, 2 * value, 1.0}, {3}, Type::f64));
  tree_sum(rows);
  EXPECT_EQ(rows.front().values(), (std::vector<double>{1, 2, 5}));
}

Batch batch_of(Index rows) { return training_batch(*toy::corpus(), Random(1), 0, rows, 16); }

std::vector<double> sharded(const nn::Transformer& model, const Batch& batch, Index shards, int helpers, double* loss = nullptr) {
  Crew crew(helpers);
  ShardedGradient gradient(model, shards);
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
  ShardedGradient two(model, 2), one(model, 1);
  const double both = two.compute(twice, Random(1), 0, crew, meter);
  const double first = one.compute(once, Random(1), 0, crew, meter);
  EXPECT_NE(both, first) << "two shards of the same row, were they dropped alike, would have the loss of one";
  EXPECT_NE(one.compute(once, Random(1), 1, crew, meter), first);
  EXPECT_EQ(one.compute(once, Random(1), 0, crew, meter), first);
}

}  // namespace
}  // namespace ropewalk
