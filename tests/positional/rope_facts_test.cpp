#include "framework/positional/rope_facts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ropewalk::positional {
namespace {

// The definition, word for word.
bool serves(double base, Index width, Index length) {
  for (Index offset = 0; offset < length; ++offset) {
    double sum = 0;
    for (Index j = 0; j < width / 2; ++j) {
      sum += std::cos(static_cast<double>(offset) * std::pow(base, -2.0 * static_cast<double>(j) / static_cast<double>(width)));
    }
    if (sum < 0) return false;
  }
  return true;
}

TEST(CriticalDimension, IsThePublishedOne) {
  EXPECT_EQ(critical_dimension(128, 10000, 4096), 92);  // LLaMA 2, Liu et al. 2023, §4.1
}

TEST(CriticalDimension, CountsThePairsThatTurnOnce) {
  for (const double base : {10.0, 500.0, 10000.0, 1e6}) {
    for (const Index length : {1, 6, 7, 64, 1000, 100000}) {
      Index turning = 0;
      for (Index j = 0; j < 16; ++j)
        turning += 2 * (static_cast<double>(length) * std::pow(base, -j / 16.0) > 2 * std::numbers::pi);
      EXPECT_EQ(critical_dimension(32, base, length), turning) << base << " " << length;
    }
  }
}

TEST(CriticalDimension, StaysWithinTheHead) {
  EXPECT_EQ(critical_dimension(64, 10000, 6), 0);  // less than 2π tokens
  EXPECT_EQ(critical_dimension(64, 2, 1 << 20), 64);
}

struct Known {
  Index width, length;
  double bound, unit;  // as printed, and one unit of its last digit
};

// A k is 1024 tokens: 1000 would give 4.2e3, not 4.3e3, for the first. The grid's 12497 for the head of 32 and 512 tokens is a
// step short of what rounds to 1.3e4; the others round to what is printed as they are.
const Known known_bounds[] = {
    {128, 1024, 4.3e3, 1e2},  {128, 2048, 1.2e4, 1e3},  {128, 4096, 2.7e4, 1e3},  {128, 8192, 8.4e4, 1e3},
    {128, 16384, 2.3e5, 1e4}, {128, 32768, 6.3e5, 1e4}, {128, 65536, 2.1e6, 1e5}, {32, 256, 2.2e3, 1e2},
    {32, 512, 1.3e4, 1e3},    {32, 1024, 5.8e4, 1e3},
};

TEST(BaseLowerBound, IsTheKnownOneToTheDigitsPrintedAndAStepOfTheGrid) {
  for (const Known& known : known_bounds) {
    const double bound = base_lower_bound(known.width, known.length).value();
    EXPECT_LE(bound, (known.bound + known.unit / 2) * base_step) << known.width << " " << known.length;
    EXPECT_GE(bound, (known.bound - known.unit / 2) / base_step) << known.width << " " << known.length;
  }
}

TEST(BaseLowerBound, IsTheSmallestOfTheGridByTheDefinition) {
  for (const auto& [width, length] : {std::pair<Index, Index>{8, 40}, {16, 256}, {32, 100}, {32, 512}, {64, 300}, {6, 1}}) {
    const double bound = base_lower_bound(width, length).value();
    EXPECT_TRUE(serves(bound, width, length)) << width << " " << length;
    for (double smaller = bound / base_step; smaller > 1.0005; smaller /= base_step) {
      ASSERT_FALSE(serves(smaller, width, length)) << width << " " << length << " " << smaller;
    }
  }
}

TEST(BaseLowerBound, GrowsWithTheContext) {
  double before = 0;
  for (const Index length : {1, 16, 64, 256, 1024, 4096}) {
    const double bound = base_lower_bound(32, length).value();
    EXPECT_GE(bound, before) << length;
    before = bound;
  }
}

TEST(BaseLowerBound, IsNotMonotone) {
  const double bound = base_lower_bound(128, 1024).value();
  EXPECT_FALSE(serves(5900, 128, 1024));
  EXPECT_LT(bound, 5900);
}

TEST(BaseLowerBound, IsEmptyWhereNoBaseWillDo) {
  EXPECT_FALSE(base_lower_bound(2, 3));  // cos 2 < 0
  EXPECT_TRUE(base_lower_bound(2, 2));
}

TEST(FirstFailingOffset, IsTheFirstWithANegativeSum) {
  const auto naive = [](Index width, double base, Index length) {
    for (Index m = 0; m < length; ++m) {
      double sum = 0;
      for (Index j = 0; j < width / 2; ++j) {
        sum += std::cos(static_cast<double>(m) * std::pow(base, -2.0 * static_cast<double>(j) / static_cast<double>(width)));
      }
      if (sum < 0) return m;
    }
    return length;
  };
  for (Index width : {2, 8, 16, 64}) {
    for (double base : {100.0, 8574.0, 10000.0, 1e6}) {
      EXPECT_EQ(positional::first_failing_offset(width, base, 256), naive(width, base, 256)) << width << " " << base;
    }
  }
  EXPECT_EQ(positional::first_failing_offset(16, 10000, 256), 91);
}

}  // namespace
}  // namespace ropewalk::positional
