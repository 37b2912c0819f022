// What must hold for every positional scheme, whatever it is. The only exceptions are those a scheme declares of itself.
#include "framework/ops/layout.hpp"
#include "tests/positional/cases.hpp"

namespace ropewalk {
namespace {

using toy::Case;
using toy::Model;

constexpr double changed = 1e-6;  // a difference that is no rounding

class EveryScheme : public testing::TestWithParam<Case> {
 protected:
  EveryScheme() : model_(GetParam().settings(), toy::trained) {}

  bool serves(Index length) const { return GetParam().serves(model_, toy::trained, length); }

  Model model_;
};

class EverySetting : public testing::TestWithParam<Case> {};

/// `tokens` with one of them, the same in all rows, changed.
Tensor with_other_token(const Tensor& tokens, Index at) {
  const Tensor other = copy(tokens);
  for (Index row = 0; row < tokens.dim(0); ++row) {
    std::int32_t& token = other.data<std::int32_t>()[row * tokens.dim(1) + at];
    token = (token + 1) % static_cast<std::int32_t>(toy::vocabulary);
  }
  return other;
}

Tensor reversed(const Tensor& x) {
  std::vector<Tensor> parts;
  for (Index i = x.dim(1); i-- > 0;) parts.push_back(slice(x, 1, i, i + 1));
  return concatenate(parts, 1);
}

Tensor reversed_tokens(const Tensor& tokens) {
  const Tensor result = Tensor::empty(tokens.shape(), Type::i32);
  const Index length = tokens.dim(1);
  for (Index i = 0; i < tokens.size(); ++i) {
    result.data<std::int32_t>()[i] = tokens.data<std::int32_t>()[i - i % length + length - 1 - i % length];
  }
  return result;
}

double central_difference(const nn::Transformer& model, const Tensor& tokens, double& coordinate) {
  const NoGradient scope;
  const double start = coordinate, step = 1e-5;
  coordinate = start + step;
  const double above = toy::loss(model, tokens).item();
  coordinate = start - step;
  const double below = toy::loss(model, tokens).item();
  coordinate = start;
  return (above - below) / (2 * step);
}

/// The coordinate with the largest gradient, and a few others.
std::vector<Index> sampled_coordinates(const std::vector<double>& gradient, Stream stream) {
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  std::vector<Index> coordinates{std::max_element(gradient.begin(), gradient.end(), smaller) - gradient.begin()};
  while (coordinates.size() < 5) coordinates.push_back(static_cast<Index>(stream.below(gradient.size())));
  return coordinates;
}

TEST_P(EveryScheme, ALaterTokenReachesAnEarlierOutputOnlyWithoutTheMask) {
  const Tensor tokens = toy::tokens(2, toy::trained), logits = model_(tokens);
  for (Index at : {Index{1}, toy::trained / 2, toy::trained - 1}) {
    const Tensor other = model_(with_other_token(tokens, at));
    const double before = toy::distance(slice(logits, 1, 0, at), slice(other, 1, 0, at));
    if (GetParam().causal) {
      EXPECT_EQ(before, 0) << "token " << at;
    } else {
      EXPECT_GT(before, changed) << "token " << at;
    }
    EXPECT_GT(toy::distance(slice(logits, 1, at, toy::trained), slice(other, 1, at, toy::trained)), changed) << "token " << at;
  }
}

TEST_P(EveryScheme, OnlyUnderTheMaskAPrefixAloneGivesWhatItGivesWithinTheWhole) {
  const Index length = toy::trained / 2;
  const Tensor tokens = toy::tokens(1, toy::trained);
  const double difference = toy::distance(slice(model_(tokens), 1, 0, length), model_(packed(slice(tokens, 1, 0, length))));
  if (GetParam().causal) {
    EXPECT_LT(difference, 1e-12);
  } else {
    EXPECT_GT(difference, changed);
  }
}

TEST_P(EveryScheme, GradientsOfAllParametersAgreeWithDifferences) {
  const Tensor tokens = toy::tokens(2, serves(20) ? 20 : toy::trained);
  const Tensors gradient = gradients(toy::loss(model_, tokens), model_.leaves());
  for (std::size_t p = 0; p < gradient.size(); ++p) {
    const Parameter& parameter = model_.parameters()[p];
    const std::vector<double> values = gradient[p].values();
    const std::vector<Index> coordinates = sampled_coordinates(values, Random(3).stream(parameter.name));
    EXPECT_GT(std::abs(values[static_cast<std::size_t>(coordinates.front())]), changed) << parameter.name << " changes nothing";
    for (Index at : coordinates) {
      const double measured = central_difference(model_, tokens, parameter.tensor->data<double>()[at]);
      const double given = values[static_cast<std::size_t>(at)];
      EXPECT_NEAR(given, measured, 1e-6 * std::abs(measured) + 1e-9) << parameter.name << "[" << at << "]";
    }
  }
}

TEST_P(EveryScheme, AShiftOfAllPositionsMattersExactlyIfTheSchemeIsAbsolute) {
  const Index length = 5;
  const Tensor tokens = toy::tokens(2, length), logits = model_(tokens);
  const auto shifted = [&](double by) { return toy::distance(logits, model_(tokens, positional::contiguous(length, by))); };
  if (GetParam().settings().position->absolute()) {
    EXPECT_GT(shifted(3), changed);
  } else {
    for (double by : {3.0, -0.25, 0.1, 1000.3}) EXPECT_LT(shifted(by), 1e-9) << "by " << by;
  }
}

TEST_P(EveryScheme, ReversedWithItsPositionsTheAnswerIsReversedUnlessMasked) {
  const Tensor tokens = toy::tokens(2, toy::trained);
  positional::Positions positions = positional::contiguous(toy::trained);
  std::reverse(positions.begin(), positions.end());
  const double difference = toy::distance(reversed(model_(tokens)), model_(reversed_tokens(tokens), positions));
  if (GetParam().causal) {
    EXPECT_GT(difference, changed);
  } else {
    EXPECT_LT(difference, 1e-10);
  }
}

TEST_P(EveryScheme, FiniteAtSixteenTimesTheTrainedLengthOrRefused) {
  const Index length = 64, far = 16 * length;
  const NoGradient scope;
  const Model model(GetParam().settings(), length, Type::f32);
  const Tensor tokens = toy::tokens(1, far);
  if (!GetParam().serves(model, length, far)) {
    EXPECT_THROW(model(tokens), Error);
    return;
  }
  for (double logit : model(tokens).values()) ASSERT_TRUE(std::isfinite(logit));
}

TEST_P(EveryScheme, FusedAttentionEqualsTheDenseReference) {
  const Model model(GetParam().settings(), 65);
  const nn::Pass reference{.dropout = nullptr, .reference = true};
  for (Index length : {1, 2, 17, 65}) {
    const Tensor tokens = toy::tokens(2, length);
    EXPECT_LT(toy::distance(model(tokens), model(tokens, reference)), 1e-10) << "length " << length;
    const Tensors fused = gradients(toy::loss(model, tokens), model.leaves());
    const Tensors dense = gradients(toy::loss(model, tokens, reference), model.leaves());
    for (std::size_t p = 0; p < fused.size(); ++p) {
      EXPECT_LT(toy::distance(fused[p], dense[p]), 1e-10) << model.parameters()[p].name << ", length " << length;
    }
  }
}

TEST_P(EveryScheme, SinglePrecisionIsCloseToDouble) {
  const Model single(GetParam().settings(), toy::trained, Type::f32);
  const Tensor rounded = convert(model_.flat(), Type::f32);
  std::copy_n(rounded.data<float>(), rounded.size(), single.flat().data<float>());
  for (Index length : {toy::trained, Index{130}}) {
    if (!serves(length)) continue;
    const Tensor tokens = toy::tokens(2, length);
    EXPECT_LT(toy::distance(convert(single(tokens), Type::f64), model_(tokens)), 1e-4) << "length " << length;
  }
}

/// What there is to see of a scheme: logits within and beyond the trained length, before and after a step of gradient descent
/// on everything that is learned. A length that is not served shows as one number of its own.
std::vector<double> observations(const Case& seen) {
  const Model model(seen.settings(), toy::trained);
  std::vector<double> result;
  const auto look = [&] {
    for (Index length : {toy::trained, 4 * toy::trained}) {
      const bool served = seen.serves(model, toy::trained, length);
      const std::vector<double> logits =
          served ? model(toy::tokens(1, length)).values() : std::vector<double>{model.reaches(length) ? -1e9 : -2e9};
      result.insert(result.end(), logits.begin(), logits.end());
    }
  };
  look();
  const Tensors gradient = gradients(toy::loss(model, toy::tokens(1, toy::trained)), model.leaves());
  for (std::size_t p = 0; p < gradient.size(); ++p) {
    double* values = model.parameters()[p].tensor->data<double>();
    for (double slope : gradient[p].values()) *values++ -= 0.1 * slope;
  }
  look();
  return result;
}

bool differ(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() != b.size() ||
         !std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return std::abs(x - y) <= changed; });
}

TEST_P(EverySetting, ChangesWhatCanBeSeen) {
  const Case& one = GetParam();
  EXPECT_TRUE(differ(observations({one.kind, "", false, one.causal}), observations(one)));
  for (const Case& other : toy::changed_cases()) {
    const bool sibling = other.kind == one.kind && other.setting == one.setting && other.causal == one.causal;
    if (!sibling || other.value == one.value) continue;
    EXPECT_TRUE(differ(observations(one), observations(other))) << "like " << testing::PrintToString(other);
  }
}

INSTANTIATE_TEST_SUITE_P(Positional, EveryScheme, testing::ValuesIn(toy::all_cases()), toy::name_of);
INSTANTIATE_TEST_SUITE_P(Positional, EverySetting, testing::ValuesIn(toy::changed_cases()), toy::name_of);

}  // namespace
}  // namespace ropewalk
