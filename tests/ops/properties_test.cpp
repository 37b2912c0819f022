// What operations promise beyond their values on ordinary inputs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "framework/core/random.hpp"
#include "framework/ops/cumulate.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/select.hpp"
#include "framework/ops/softmax.hpp"

namespace ropewalk {
namespace {

using Doubles = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Softmax, AFullyMaskedRowGivesZerosAndZeroGradients) {
  for (Type type : {Type::f32, Type::f64}) {
    const Tensor x = parameter(Tensor::of(Doubles{-infinity, -infinity, 0, 0}, {2, 2}, type));
    const Tensor y = softmax(x);
    EXPECT_EQ(y.values(), (Doubles{0, 0, 0.5, 0.5}));
    const Tensor weights = Tensor::of(Doubles{1, 2, 3, 4}, {2, 2}, type);
    EXPECT_EQ(gradients(sum(multiply(y, weights)), {x})[0].values(), (Doubles{0, 0, -0.25, 0.25}));
  }
}

TEST(Softmax, DoesNotOverflow) {
  for (Type type : {Type::f32, Type::f64}) {
    const Tensor x = Tensor::of(Doubles{1e30, 1e30, -1e30}, {3}, type);
    EXPECT_EQ(softmax(x).values(), (Doubles{0.5, 0.5, 0}));
    EXPECT_EQ(log_softmax(x).values()[2], static_cast<double>(type == Type::f32 ? -2e30f : -2e30));
  }
}

TEST(Softmax, NotANumberStaysVisible) {
  const Tensor x = Tensor::of(Doubles{1, std::nan(""), 2}, {3});
  for (double y : softmax(x).values()) EXPECT_TRUE(std::isnan(y));
}

TEST(CrossEntropy, OfAConfidentModelIsFinite) {
  const Tensor logits = Tensor::of(Doubles{1e4, 0, 1e4, 0}, {2, 2});
  EXPECT_EQ(cross_entropy(logits, Tensor::of(std::vector<std::int32_t>{0, 1}, {2})).values(), (Doubles{0, 1e4}));
}

// An unscored row may hold anything, and still moves nothing.
TEST(CrossEntropy, UnscoredRowsAreSilent) {
  const Tensor logits = parameter(Tensor::of(Doubles{5, -3, 1, 1}, {2, 2}, Type::f64));
  const Tensor loss = cross_entropy(logits, Tensor::of(std::vector<std::int32_t>{-1, 0}, {2}));
  EXPECT_EQ(loss.values()[0], 0);
  const Doubles gradient = gradients(sum(loss), {logits})[0].values();
  EXPECT_EQ(Doubles(gradient.begin(), gradient.begin() + 2), (Doubles{0, 0}));
  EXPECT_NEAR(gradient[2], -0.5, 1e-15);
  EXPECT_NEAR(gradient[3], 0.5, 1e-15);
}

// The way back may write over logits that nobody else holds, and only over those.
TEST(CrossEntropy, LogitsThatAreHeldStayAsTheyAre) {
  const Doubles values{1, 2, -1, 0.5};
  const Tensor x = parameter(Tensor::of(values, {2, 2}, Type::f64));
  const Tensor targets = Tensor::of(std::vector<std::int32_t>{0, 1}, {2});
  const Tensor held = scale(x, 2);
  const Doubles before = held.values();
  const Doubles gradient = gradients(sum(cross_entropy(held, targets)), {x})[0].values();
  EXPECT_EQ(held.values(), before);
  EXPECT_EQ(gradients(sum(cross_entropy(scale(x, 2), targets)), {x})[0].values(), gradient);
}

TEST(Maximum, TheFirstOfEqualsTakesTheGradient) {
  const Tensor x = parameter(Tensor::of(Doubles{1, 7, 7, 2, 2, 2}, {2, 3}, Type::f64));
  EXPECT_EQ(gradients(sum(maximum(x, 1)), {x})[0].values(), (Doubles{0, 1, 0, 1, 0, 0}));
}

// Floats near 1e8 are 8 apart: summed in float, the ones would each be lost.
TEST(CumulativeSum, SumsInDoubleBothWays) {
  constexpr Index count = 101;
  Doubles values(count, 1.0), back(count, 1.0);
  values.front() = back.back() = 1e8;
  const Tensor x = parameter(Tensor::of(values, {count}, Type::f32)), dy = Tensor::of(back, {count}, Type::f32);
  const Tensor y = cumulative_sum(x, 0);
  const Doubles dx = gradients(sum(multiply(y, dy)), {x})[0].values();
  for (Index t = 0; t < count; ++t) {
    const double expected = static_cast<float>(1e8 + static_cast<double>(t));
    EXPECT_EQ(y.values()[static_cast<std::size_t>(t)], expected);
    EXPECT_EQ(dx[static_cast<std::size_t>(count - 1 - t)], expected);
  }
}

TEST(Relu, ItsSlopeAtZeroIsZero) {
  const Tensor x = parameter(Tensor::of(Doubles{0, -1, 1}, {3}, Type::f64));
  EXPECT_EQ(gradients(sum(relu(x)), {x})[0].values(), (Doubles{0, 0, 1}));
}

TEST(Dropout, ZeroesAShareAndKeepsTheMean) {
  constexpr Index count = 100'000;
  constexpr double p = 0.3;
  const Doubles y = dropout(Tensor::full({count}, 1.0, Type::f64), p, Random(8).stream("dropout")).values();
  double sum = 0, zeros = 0;
  for (double value : y) {
    sum += value;
    zeros += value == 0 ? 1 : 0;
    EXPECT_TRUE(value == 0 || value == 1 / (1 - p)) << value;
  }
  const double error = 5 * std::sqrt(p * (1 - p) / count);
  EXPECT_NEAR(zeros / count, p, error);
  EXPECT_NEAR(sum / count, 1, error / (1 - p));
}

TEST(Dropout, IsAFunctionOfItsStream) {
  const Tensor x = Tensor::full({64}, 1.0);
  const Random random(8);
  EXPECT_EQ(dropout(x, 0.5, random.stream("dropout", 3)).values(), dropout(x, 0.5, random.stream("dropout", 3)).values());
  EXPECT_NE(dropout(x, 0.5, random.stream("dropout", 3)).values(), dropout(x, 0.5, random.stream("dropout", 4)).values());
}

TEST(Views, CopyNothing) {
  const Tensor x = Tensor::zeros({2, 3, 4});
  EXPECT_TRUE(reshape(x, {6, 4}).shares(x));
  EXPECT_TRUE(permute(x, {2, 0, 1}).shares(x));
  EXPECT_TRUE(transpose(x).shares(x));
  EXPECT_TRUE(slice(x, 1, 0, 2).shares(x));
  EXPECT_TRUE(broadcast_to(x, {5, 2, 3, 4}).shares(x));
}

}  // namespace
}  // namespace ropewalk
