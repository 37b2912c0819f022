#include "experiments/run/dataset.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/run/counting.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

TEST(TrainingBatch, IsAFunctionOfSeedAndStep) {
  const auto corpus = toy::corpus();
  const auto tokens = [&](std::uint64_t seed, Index step) {
    return training_batch(*corpus, Random(seed), step, 8, 16).tokens.values();
  };
  EXPECT_EQ(tokens(1, 0), tokens(1, 0));
  EXPECT_NE(tokens(1, 0), tokens(1, 1));
  EXPECT_NE(tokens(1, 0), tokens(2, 0));
}

TEST(TrainingBatch, StaysWithinTheTrainingPartAndUsesAllOfIt) {
  const Corpus corpus = counting(30, 12);
  std::set<double> first, targets;
  for (Index step = 0; step < 100; ++step) {
    const Batch batch = training_batch(corpus, Random(3), step, 4, 5);
    for (std::size_t row = 0; row < 4; ++row) first.insert(batch.tokens.values()[row * 5]);
    for (double target : batch.targets.values()) targets.insert(target);
  }
  EXPECT_EQ(first, (std::set<double>{0, 1, 2, 3, 4, 5, 6}));  // the last window's last target is token 11
  EXPECT_EQ(*targets.rbegin(), 11) << "no held-out token is ever a target";
}

TEST(NextToken, AsksForTheTokenThatFollowsInTrainingAndAfterIt) {
  const Corpus corpus = counting(30, 12);
  for (const Batch& batch : {NextToken().training(corpus, {1, 4}, 3, Random(0), 0), NextToken().held_out(corpus, {1, 4}, 3)}) {
    EXPECT_EQ(batch.tokens.values(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(batch.targets.values(), (std::vector<double>{2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(batch.scored, 6);
  }
}

}  // namespace
}  // namespace ropewalk
