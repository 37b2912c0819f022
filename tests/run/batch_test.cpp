#include "experiments/run/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "framework/core/random.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

/// Tokens 0, 1, 2 …, so that a token tells where it was; held-out ones are those from `training` on.
Corpus counting(Index size, Index training) {
  Corpus corpus;
  for (Index i = 0; i < size; ++i) corpus.tokens.push_back(static_cast<std::uint8_t>(i));
  corpus.training = training;
  return corpus;
}

TEST(Windows, HoldTheTextAndTheTokenThatFollows) {
  const Batch batch = windows(counting(20, 20), {3, 0, 15}, 4);
  EXPECT_EQ(batch.tokens.shape(), (Shape{3, 4}));
  EXPECT_EQ(batch.tokens.values(), (std::vector<double>{3, 4, 5, 6, 0, 1, 2, 3, 15, 16, 17, 18}));
  EXPECT_EQ(batch.targets.values(), (std::vector<double>{4, 5, 6, 7, 1, 2, 3, 4, 16, 17, 18, 19}));
}

TEST(Windows, BytesAboveAsciiAreTokensTo255) {
  Corpus corpus;
  corpus.tokens = {0, 128, 255};
  EXPECT_EQ(windows(corpus, {0}, 2).targets.values(), (std::vector<double>{128, 255}));
}

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

}  // namespace
}  // namespace ropewalk
