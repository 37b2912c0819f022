#include "experiments/report/extrapolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ropewalk {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(EffectiveLength, IsTheLongestWithinTwoPercentOfTheLoss) {
  const Curve loss{{32, 9.0}, {64, 1.0}, {128, 1.02}, {256, 1.03}, {512, 1.01}, {1024, 1.5}};
  EXPECT_EQ(effective_length(loss, 64)->value, 512) << "though 256 is not within";
  EXPECT_FALSE(effective_length(loss, 64)->at_least);
  EXPECT_EQ(effective_length(loss, 256)->value, 512);
  EXPECT_EQ(effective_length(loss, 128)->value, 512);
  EXPECT_EQ(effective_length({{64, 1.0}, {128, 1.03}}, 64)->value, 64);
}

TEST(EffectiveLength, OfTheLongestEvaluatedIsABound) {
  EXPECT_EQ(effective_length({{64, 1.0}, {128, 0.5}}, 64)->value, 128);
  EXPECT_TRUE(effective_length({{64, 1.0}, {128, 0.5}}, 64)->at_least);
  EXPECT_TRUE(effective_length({{64, 1.0}}, 64)->at_least) << "nothing longer was asked";
}

TEST(EffectiveLength, PassesOverWhatHasNoValue) {
  EXPECT_EQ(effective_length({{64, 1.0}, {128, kNaN}, {256, 1.0}}, 64)->value, 256);
  EXPECT_EQ(effective_length({{64, 1.0}, {128, kNaN}}, 64)->value, 64);
  EXPECT_FALSE(effective_length({{64, 1.0}, {128, kNaN}}, 64)->at_least);
}

TEST(TokensGained, AreInterpolatedInTheLogarithmOfTheLength) {
  // Twice the bound's rise over a factor of 4: passed at a factor of 2.
  const double rise = std::log(1.01);
  const Curve loss{{64, 1.0}, {256, 1.0 + 2 * rise}};
  EXPECT_NEAR(tokens_gained(loss, 64)->value, 64, 1e-9);
  EXPECT_FALSE(tokens_gained(loss, 64)->at_least);
  EXPECT_NEAR(tokens_gained({{64, 1.0}, {128, 0.9}, {256, 1.0 + rise}, {512, 3.0}}, 64)->value, 256 - 64, 1e-9);
}

TEST(TokensGained, EndAtTheFirstPassing) {
  const Curve loss{{64, 1.0}, {128, 2.0}, {256, 0.5}};
  EXPECT_LT(tokens_gained(loss, 64)->value, 64);
}

TEST(TokensGained, AreABoundWhereTheLengthsOrTheValuesEnd) {
  const auto flat = tokens_gained({{64, 1.0}, {1024, 0.9}}, 64);
  EXPECT_EQ(flat->value, 960);
  EXPECT_TRUE(flat->at_least);
  const auto missing = tokens_gained({{64, 1.0}, {128, 1.0}, {256, kNaN}, {512, 1.0}}, 64);
  EXPECT_EQ(missing->value, 64);
  EXPECT_TRUE(missing->at_least);
  EXPECT_EQ(tokens_gained({{64, 1.0}}, 64)->value, 0);
}

TEST(TokensGained, OfALossThatOverflows) { EXPECT_NEAR(tokens_gained({{64, 1.0}, {128, kInfinity}}, 64)->value, 0, 1e-9); }

TEST(Area, IsTheMeanOverDoublings) {
  EXPECT_DOUBLE_EQ(area({{32, 99.0}, {64, 1.0}, {128, 3.0}, {512, 5.0}}, 64)->value, (1 * 2.0 + 2 * 4.0) / 3);
  EXPECT_DOUBLE_EQ(area({{64, 7.0}, {128, 7.0}, {1000, 7.0}}, 64)->value, 7.0);
}

TEST(Area, NeedsEveryValueAndALongerLength) {
  EXPECT_FALSE(area({{64, 1.0}, {128, kNaN}, {256, 1.0}}, 64));
  EXPECT_FALSE(area({{32, 1.0}, {64, 1.0}}, 64));
  EXPECT_TRUE(area({{32, kNaN}, {64, 1.0}, {128, 2.0}}, 64)) << "shorter ones do not matter";
}

TEST(SteepestRise, IsThatPerDoublingFromTheTrainedLengthOn) {
  EXPECT_DOUBLE_EQ(steepest_rise({{32, 0.0}, {64, 1.0}, {128, 1.1}, {256, 1.5}, {1024, 2.0}}, 64)->value, 0.4);
  EXPECT_DOUBLE_EQ(steepest_rise({{64, 1.0}, {128, 1.1}, {181, 1.4}}, 64)->value, (1.4 - 1.1) / std::log2(181.0 / 128.0));
  EXPECT_DOUBLE_EQ(steepest_rise({{64, 1.0}, {128, 0.9}, {256, 0.7}}, 64)->value, 0.9 - 1.0) << "it falls all the way";
}

TEST(SteepestRise, NeedsEveryValueAndALongerLength) {
  EXPECT_FALSE(steepest_rise({{64, 1.0}}, 64));
  EXPECT_FALSE(steepest_rise({{64, 1.0}, {128, kNaN}, {256, 1.0}}, 64));
  EXPECT_FALSE(steepest_rise({{64, 1.0}, {128, kInfinity}}, 64));
  EXPECT_FALSE(steepest_rise({{64, kNaN}, {128, 1.0}}, 64));
  EXPECT_FALSE(steepest_rise({{128, 1.0}, {256, 1.0}}, 64));
}

TEST(Extrapolation, NeedsTheTrainedLength) {
  for (const Curve& loss : {Curve{}, Curve{{128, 1.0}}, Curve{{64, kNaN}, {128, 1.0}}, Curve{{64, kInfinity}, {128, 1.0}}}) {
    EXPECT_FALSE(effective_length(loss, 64));
    EXPECT_FALSE(tokens_gained(loss, 64));
    EXPECT_FALSE(area(loss, 64));
  }
}

}  // namespace
}  // namespace ropewalk
