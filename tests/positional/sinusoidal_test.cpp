#include "framework/positional/sinusoidal.hpp"

#include <numbers>

#include "framework/positional/frequency.hpp"
#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

using positional::contiguous;
using positional::Positions;
using positional::sinusoid;

/// Row `position` of the encoding.
std::vector<double> encoding(double position, Index width, double base = 10000) {
  return sinusoid(Positions{position}, width, base).values();
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(Sinusoid, KnownValuesAtWidthFour) {
  const std::vector<double> expected{0, 1, 0, 1, 0.8415, 0.5403, 0.0100, 0.99995, 0.9093, -0.4161, 0.0200, 0.9998};
  EXPECT_LT(toy::distance(sinusoid(contiguous(3), 4, 10000), Tensor::of(expected, {1, 3, 4}, Type::f64)), 5e-5);
}

TEST(Sinusoid, EntriesFollowTheFormula) {
  const Index width = 64;
  const std::vector<double> row = encoding(37, width, 500);
  for (Index i = 0; i < width / 2; ++i) {
    const double angle = 37 * std::pow(500.0, -2.0 * static_cast<double>(i) / static_cast<double>(width));
    EXPECT_NEAR(row[static_cast<std::size_t>(2 * i)], std::sin(angle), 1e-12);
    EXPECT_NEAR(row[static_cast<std::size_t>(2 * i + 1)], std::cos(angle), 1e-12);
  }
}

TEST(Sinusoid, AStepOfKTokensIsARotationOfEachPairWhereverItStarts) {
  const Index width = 16;
  const double k = 11;
  for (double m : {0.0, 3.0, 1000.0}) {
    const std::vector<double> here = encoding(m, width), there = encoding(m + k, width);
    for (std::size_t j = 0; j < 8; ++j) {
      const double angle = k * std::pow(10000.0, -static_cast<double>(j) / 8);
      const double sine = here[2 * j], cosine = here[2 * j + 1];
      EXPECT_NEAR(there[2 * j], sine * std::cos(angle) + cosine * std::sin(angle), 1e-11);
      EXPECT_NEAR(there[2 * j + 1], cosine * std::cos(angle) - sine * std::sin(angle), 1e-11);
    }
  }
}

TEST(Sinusoid, InnerProductsDependOnTheDistanceAlone) {
  const double product = dot(encoding(2, 32), encoding(9, 32));
  EXPECT_NEAR(dot(encoding(1002, 32), encoding(1009, 32)), product, 1e-10);
  EXPECT_GT(std::abs(dot(encoding(2, 32), encoding(10, 32)) - product), 1e-2);
}

TEST(Sinusoid, ValuesLieBetweenMinusOneAndOneAndReachThem) {
  const std::vector<double> values = sinusoid(contiguous(5000), 32, 10000).values();
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*lowest, -1);
  EXPECT_LT(*lowest, -0.999);
  EXPECT_LE(*highest, 1);
  EXPECT_GT(*highest, 0.999);
}

TEST(Frequencies, WavelengthsRunFromTwoPiToAboutTwoPiTimesTheBase) {
  const std::vector<double> theta = positional::frequencies(10000, 512);
  ASSERT_EQ(theta.size(), 256u);
  EXPECT_EQ(theta.front(), 1);
  EXPECT_NEAR(theta.back(), 1e-4, 5e-6);
  for (std::size_t j = 1; j < theta.size(); ++j) EXPECT_NEAR(theta[j] / theta[j - 1], std::pow(10000.0, -1.0 / 256), 1e-12);
}

TEST(Sinusoid, OddWidthsAreRefused) {
  EXPECT_THROW(sinusoid(Positions{0}, 5, 10000), Error);
  const auto scheme = toy::scheme("sinusoidal");
  const auto found = scheme->complaints({.width = 5}, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].reason, "sinusoidal pairs a sine with a cosine and needs an even model.width, got 5");
  EXPECT_TRUE(scheme->complaints({.width = 6}, {}).empty());
}

TEST(Sinusoid, IsAddedTimesItsScaleToEveryRowOfTheBatch) {
  const auto scheme = toy::scheme("sinusoidal", {{"base", 50.0}, {"scale", 0.5}});
  const Tensor x = normal({2, 3, 4}, 1, Random(1).stream("x"), Type::f64),
               added = scheme->embed(x, {Tensor::zeros({2, 3}, Type::i32), {4, 5, 6}, nullptr});
  const std::vector<double> encoding = sinusoid(Positions{4, 5, 6}, 4, 50).values(), before = x.values(), after = added.values();
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_NEAR(after[i], before[i] + 0.5 * encoding[i % 12], 1e-15);
}

}  // namespace
}  // namespace ropewalk
