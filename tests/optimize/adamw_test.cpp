#include "framework/optimize/adamw.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "framework/core/random.hpp"

namespace ropewalk::optimize {
namespace {

constexpr Index count = 37;
constexpr double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-8, decay = 0.01;  // what config uses unless told otherwise

Tensor gradient_at(Index step) {
  return normal({count}, 1.0, Random(1).stream("gradient", static_cast<std::uint64_t>(step)), Type::f64);
}

double rate_at(Index step) { return 1e-2 / static_cast<double>(step); }

/// Algorithm 2 of Loshchilov and Hutter, one element at a time.
struct Reference {
  std::vector<double> parameter, first = std::vector<double>(count, 0.0), second = first;

  void step(const std::vector<double>& gradient, double rate, Index decayed_from, Index t) {
    for (std::size_t i = 0; i < parameter.size(); ++i) {
      first[i] = beta1 * first[i] + (1 - beta1) * gradient[i];
      second[i] = beta2 * second[i] + (1 - beta2) * gradient[i] * gradient[i];
      const double mean = first[i] / (1 - std::pow(beta1, t)), variance = second[i] / (1 - std::pow(beta2, t));
      const double shrink = static_cast<Index>(i) >= decayed_from ? decay * parameter[i] : 0;
      parameter[i] -= rate * (mean / (std::sqrt(variance) + epsilon) + shrink);
    }
  }
};

void expect_close(const Tensor& found, const std::vector<double>& expected, double tolerance) {
  const std::vector<double> values = found.values();
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values[i], expected[i], tolerance) << i;
}

/// Ten steps on parameters of which those from `decayed_from` on decay; gradients arrive doubled and are scaled by a half.
void expect_reference(Type type, Index decayed_from, double tolerance) {
  const Tensor start = normal({count}, 1.0, Random(2).stream("start"), Type::f64);
  const Tensor parameters = convert(start, type);
  const Moments moments{Tensor::zeros({count}, type), Tensor::zeros({count}, type)};
  Reference reference{start.values()};
  const AdamW adam;
  for (Index step = 1; step <= 10; ++step) {
    std::vector<double> doubled = gradient_at(step).values();
    reference.step(doubled, rate_at(step), decayed_from, step);
    for (double& value : doubled) value *= 2;
    adam.update(parameters, Tensor::of(doubled, {count}, type), moments, {{0, decayed_from, false}, {decayed_from, count, true}},
                rate_at(step), 0.5, step);
  }
  expect_close(parameters, reference.parameter, tolerance);
  expect_close(moments.first, reference.first, tolerance);
  expect_close(moments.second, reference.second, tolerance);
}

TEST(AdamWSteps, FollowThePaperWithoutDecay) { expect_reference(Type::f64, count, 1e-13); }
TEST(AdamWSteps, FollowThePaperWithDecay) { expect_reference(Type::f64, 0, 1e-13); }
TEST(AdamWSteps, DecayTheirSegmentsOnly) { expect_reference(Type::f64, 20, 1e-13); }
TEST(AdamWSteps, FollowThePaperInSinglePrecision) { expect_reference(Type::f32, 20, 1e-6); }

TEST(AdamWSteps, ElementsOutsideEverySegmentStay) {
  const Tensor parameters = Tensor::full({4}, 1.0, Type::f64), gradient = Tensor::full({4}, 1.0, Type::f64);
  const Moments moments{Tensor::zeros({4}, Type::f64), Tensor::zeros({4}, Type::f64)};
  AdamW().update(parameters, gradient, moments, {{1, 3, true}}, 0.1, 1.0, 1);
  const std::vector<double> after = parameters.values();
  EXPECT_EQ(after[0], 1);
  EXPECT_EQ(after[3], 1);
  EXPECT_NEAR(after[1], 1 - 0.1 * (1 / (1 + epsilon) + decay), 1e-15);
}

TEST(Optimizers, AreDescribedByTheirSettings) {
  Choice<Optimizer> choice(optimizers(), "adamw");
  std::vector<std::string> names;
  Fields fields = choice.fields();
  for (const Field& field : fields.all()) names.push_back(field.name);
  EXPECT_EQ(names, (std::vector<std::string>{"rate", "betas", "epsilon", "decay"}));
  *std::get<double*>(fields.all()[0].target) = 0.5;
  EXPECT_EQ(choice->rate(), 0.5);
}

}  // namespace
}  // namespace ropewalk::optimize
