#include "experiments/report/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ropewalk {
namespace {

TEST(Statistics, Mean) {
  EXPECT_DOUBLE_EQ(mean({1, 2, 6}), 3.0);
  EXPECT_TRUE(std::isnan(mean({})));
}

TEST(Statistics, NoIntervalWithoutASecondFiniteValue) {
  EXPECT_FALSE(Bootstrap().interval({}).has_value());
  EXPECT_FALSE(Bootstrap().interval({5.0}).has_value());
  EXPECT_FALSE(Bootstrap().interval({5.0, std::numeric_limits<double>::infinity()}).has_value());
}

TEST(Statistics, TwoAndThreeValuesGiveTheirRange) {
  // All resamples of one value have probability 1/4 and 1/27, more than the 2.5 % that are cut off.
  const auto two = Bootstrap().interval({4, 2});
  EXPECT_DOUBLE_EQ(two->low, 2);
  EXPECT_DOUBLE_EQ(two->high, 4);
  const auto three = Bootstrap().interval({1, 7, 2});
  EXPECT_DOUBLE_EQ(three->low, 1);
  EXPECT_DOUBLE_EQ(three->high, 7);
}

TEST(Statistics, AnIntervalIsCalledWhatItIs) {
  EXPECT_EQ(name_of_intervals({1, 2}, "seeds"), "range over seeds");
  EXPECT_EQ(name_of_intervals({3}, "pairs"), "range over pairs");
  EXPECT_EQ(name_of_intervals({4, 1, 5}, "seeds"), "95 % bootstrap interval");
  EXPECT_EQ(name_of_intervals({3, 4}, "runs"), "95 % bootstrap interval; of fewer than 4: range over runs");
  EXPECT_EQ(name_of_intervals({0, 1, 1}, "seeds"), "");
}

TEST(Statistics, ManyValuesGiveTheNormalInterval) {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(i % 20);
  const double deviation = std::sqrt(33.25 / 400);  // of the mean: the variance of 0..19 is (20² − 1)/12
  const auto interval = Bootstrap().interval(values);
  EXPECT_NEAR(interval->low, 9.5 - 1.96 * deviation, 0.05);
  EXPECT_NEAR(interval->high, 9.5 + 1.96 * deviation, 0.05);
}

TEST(Statistics, EqualValuesGiveEqualIntervals) {
  const std::vector<double> values{1.5, 2.25, 9, 4, 3};
  const auto first = Bootstrap().interval(values), second = Bootstrap().interval(values);
  EXPECT_EQ(first->low, second->low);
  EXPECT_EQ(first->high, second->high);
}

}  // namespace
}  // namespace ropewalk
