#include "experiments/run/batch.hpp"

#include <gtest/gtest.h>

#include "tests/run/counting.hpp"

namespace ropewalk {
namespace {

TEST(Windows, HoldTheTextAndTheTokenThatFollows) {
  const Batch batch = windows(counting(20, 20), {3, 0, 15}, 4);
  EXPECT_EQ(batch.tokens.shape(), (Shape{3, 4}));
  EXPECT_EQ(batch.tokens.values(), (std::vector<double>{3, 4, 5, 6, 0, 1, 2, 3, 15, 16, 17, 18}));
  EXPECT_EQ(batch.targets.values(), (std::vector<double>{4, 5, 6, 7, 1, 2, 3, 4, 16, 17, 18, 19}));
}

TEST(Windows, ScoreEveryToken) { EXPECT_EQ(windows(counting(20, 20), {3, 0, 15}, 4).scored, 12); }

TEST(Windows, BytesAboveAsciiAreTokensTo255) {
  Corpus corpus;
  corpus.tokens = {0, 128, 255};
  EXPECT_EQ(windows(corpus, {0}, 2).targets.values(), (std::vector<double>{128, 255}));
}

}  // namespace
}  // namespace ropewalk
