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
  EveryScheme() : model_(GetParam().settings(), toy::trained), traits_(GetParam().traits()) {}

  /// The first length from this one on that the scheme serves, else the trained one.
  Index length_from(Index length) const {
    const Index served = GetParam().served_from(toy::trained, length);
    return served > 0 ? served : toy::trained;
  }

  Model model_;
  positional::Traits traits_;
};

class EverySetting : public testing::TestWithParam<toy::Setting> {};
class RefusedScheme : public testing::TestWithParam<Case> {};

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
  if (traits_.depends_on_length) return;
  const Index length = toy::trained / 2;
  const Tensor tokens = toy::tokens(1, toy::trained);
  const double difference = toy::distance(slice(model_(tokens), 1, 0, length), model_(packed(slice(tokens, 1, 0, length))));
  if (GetParam().causal) {
    EXPECT_LT(difference, 1e-12);
  } else {
    EXPECT_GT(difference, changed);
  }
}

TEST_P(EveryScheme, OneTokenAtATimeGivesTheLogitsOfTheWhole) {
  if (!GetParam().causal || traits_.needs_grid) return;  // a grid is not read token by token
  const Index length = length_from(20);
  const Tensor tokens = toy::tokens(2, length);
  nn::Cache cache;
  for (Index t = 0; t < length; ++t) {
    const Tensor next = model_.next(slice(tokens, 1, t, t + 1), cache);
    const Tensor whole = model_(packed(slice(tokens, 1, 0, t + 1)));
    ASSERT_LT(toy::distance(next, slice(whole, 1, t, t + 1)), 1e-11) << "token " << t;
  }
  EXPECT_EQ(cache.length(), length);
}

TEST_P(EveryScheme, SeveralTokensAtATimeGiveTheLogitsOfTheWhole) {
  if (!GetParam().causal || traits_.needs_grid) return;
  const Index length = length_from(20), cut = length - 5;
  const Tensor tokens = toy::tokens(2, length), whole = model_(tokens);
  nn::Cache cache;
  model_.next(slice(tokens, 1, 0, cut), cache);
  EXPECT_LT(toy::distance(model_.next(slice(tokens, 1, cut, length), cache), slice(whole, 1, cut, length)), 1e-11);
}

TEST_P(EveryScheme, GradientsOfAllParametersAgreeWithDifferences) {
  const Tensor tokens = toy::tokens(2, length_from(20));
  const Tensors gradient = gradients(toy::loss(model_, tokens), model_.leaves());
  for (std::size_t p = 0; p < gradient.size(); ++p) {
    const Parameter& parameter = model_.parameters()[p];
    const std::vector<double> values = gradient[p].values();
    const std::vector<Index> coordinates = sampled_coordinates(values, Random(3).stream(parameter.name));
    const bool inert = !traits_.inert_parameter.empty() && parameter.name.ends_with(traits_.inert_parameter);
    EXPECT_NE(std::abs(values[static_cast<std::size_t>(coordinates.front())]) > changed, inert) << parameter.name;
    for (Index at : coordinates) {
      const double measured = central_difference(model_, tokens, parameter.tensor->data<double>()[at]);
      const double given = values[static_cast<std::size_t>(at)];
      EXPECT_NEAR(given, measured, 1e-6 * std::abs(measured) + 1e-9) << parameter.name << "[" << at << "]";
    }
  }
}

TEST_P(EveryScheme, AShiftOfAllPositionsMattersExactlyIfTheSchemeIsAbsolute) {
  const Index length = GetParam().serves(toy::trained, 72) ? 72 : length_from(5);
  const Tensor tokens = toy::tokens(2, length), logits = model_(tokens);
  const auto shifted = [&](double by) { return toy::distance(logits, model_(tokens, positional::contiguous(length, by))); };
  const std::vector<double> shifts = traits_.needs_grid ? std::vector<double>{2.0 * static_cast<double>(length)}  // whole rows
                                                        : std::vector<double>{3.0, -0.25, 0.1, 1000.3};
  if (!traits_.absolute) {
    for (double by : shifts) EXPECT_LT(shifted(by), 1e-9) << "by " << by;
    return;
  }
  const auto matters = [&](double by) {
    try {
      return shifted(by) > changed;
    } catch (const Error&) {
      return true;  // a table has nothing to say there
    }
  };
  EXPECT_TRUE(std::any_of(shifts.begin(), shifts.end(), matters));
}

TEST_P(EveryScheme, ReversedWithItsPositionsTheAnswerIsReversedUnlessMasked) {
  if (traits_.needs_digits || traits_.needs_separators) return;  // what they read off the tokens has an order of its own
  const Tensor tokens = toy::tokens(2, toy::trained);
  std::vector<double> positions = positional::contiguous(toy::trained).values();
  std::reverse(positions.begin(), positions.end());
  const double difference = toy::distance(reversed(model_(tokens)), model_(reversed_tokens(tokens), positions));
  if (GetParam().causal) {
    EXPECT_GT(difference, changed);
  } else {
    EXPECT_LT(difference, 1e-10);
  }
}

TEST_P(EveryScheme, FiniteAtSixteenTimesTheTrainedLengthOrRefused) {
  const Index length = GetParam().serves(64, 64) ? 64 : toy::trained, far = 16 * length;
  const NoGradient scope;
  const Model model(GetParam().settings(), length, Type::f32);
  const Tensor tokens = toy::tokens(1, far);
  if (!GetParam().serves(length, far)) {
    EXPECT_THROW(model(tokens), Error);
    return;
  }
  for (double logit : model(tokens).values()) ASSERT_TRUE(std::isfinite(logit));
}

TEST_P(EveryScheme, FusedAttentionEqualsTheDenseReference) {
  const Index longest = GetParam().serves(64, 64) ? 64 : toy::trained;
  const Model model(GetParam().settings(), longest);
  const nn::Pass reference{.dropout = nullptr, .draws = nullptr, .reference = true};
  for (Index length : {Index{1}, Index{2}, Index{17}, longest}) {
    if (!GetParam().serves(longest, length)) continue;
    const Tensor tokens = toy::tokens(2, length);
    EXPECT_LT(toy::distance(model(tokens), model(tokens, reference)), 1e-10) << "length " << length;
    const Tensors fused = gradients(toy::loss(model, tokens), model.leaves());
    const Tensors dense = gradients(toy::loss(model, tokens, reference), model.leaves());
    for (std::size_t p = 0; p < fused.size(); ++p) {
      EXPECT_LT(toy::distance(fused[p], dense[p]), 1e-10) << model.parameters()[p].name << ", length " << length;
    }
  }
}

/// Of the queries of a sequence, by plain loops from weights [1, H, T, T]: for each head, entropy in nats and distance in tokens.
std::vector<std::pair<double, double>> mean_spread_of(const Tensor& weights) {
  const std::vector<double> w = weights.values();
  const Index length = weights.dim(3), per_head = length * length;
  std::vector<std::pair<double, double>> found(static_cast<std::size_t>(weights.dim(1)));
  for (Index i = 0; i < weights.size(); ++i) {
    const double weight = w[static_cast<std::size_t>(i)], query = static_cast<double>(i % per_head / length);
    auto& [entropy, distance] = found[static_cast<std::size_t>(i / per_head)];
    entropy -= weight > 0 ? weight * std::log(weight) / static_cast<double>(length) : 0;
    distance += weight * std::abs(query - static_cast<double>(i % length)) / static_cast<double>(length);
  }
  return found;
}

TEST_P(EveryScheme, SpreadsItsWeightsAsTheDenseOnes) {
  for (Index length : {toy::trained, length_from(128)}) {
    const Tensor tokens = toy::tokens(1, length);
    const auto expected = mean_spread_of(model_.first_layer(tokens).attention.weights);
    const AttentionSpread found = model_.mean_spread(tokens);
    ASSERT_EQ(found.entropy.shape(), (Shape{2, 1, 2}));
    for (std::size_t h = 0; h < expected.size(); ++h) {
      EXPECT_NEAR(found.entropy.data<double>()[h], expected[h].first, 1e-10) << "head " << h << ", length " << length;
      EXPECT_NEAR(found.distance.data<double>()[h], expected[h].second, 1e-9) << "head " << h << ", length " << length;
    }
  }
}

TEST_P(EveryScheme, SinglePrecisionIsCloseToDouble) {
  const Model single(GetParam().settings(), toy::trained, Type::f32);
  const Tensor rounded = convert(model_.flat(), Type::f32);
  std::copy_n(rounded.data<float>(), rounded.size(), single.flat().data<float>());
  for (Index length : {toy::trained, length_from(128)}) {
    const Tensor tokens = toy::tokens(2, length);
    EXPECT_LT(toy::distance(convert(single(tokens), Type::f64), model_(tokens)), 1e-4) << "length " << length;
  }
}

TEST_P(RefusedScheme, SaysWhyAndIsNotBuilt) {
  const nn::TransformerSettings settings = GetParam().settings();
  const auto found = positional::complaints_about(*settings.position, settings.context(toy::trained, toy::marks), {});
  ASSERT_FALSE(found.empty());
  EXPECT_GT(found[0].reason.size(), 20u);
  EXPECT_TRUE(settings.position->traits().causal_only) << found[0].reason;
  EXPECT_THROW(Model model(settings), Error);
}

/// What there is to see of a scheme: logits within and beyond the trained length and in training, before and after a step of
/// gradient descent on everything that is learned. A length that is not served shows as one number of its own.
std::vector<double> observations(const Case& seen, Index trained) {
  const Model model(seen.settings(), trained);
  std::vector<double> result;
  const auto look = [&] {
    for (Index length : {trained, 9 * trained}) {
      const bool served = seen.serves(trained, length);
      const std::vector<double> logits =
          served ? model(toy::tokens(1, length)).values() : std::vector<double>{model.reaches(length) ? -1e9 : -2e9};
      result.insert(result.end(), logits.begin(), logits.end());
    }
    const positional::Draws draws{Random(4), 0, 0, true};
    const std::vector<double> training = model(toy::tokens(2, trained), {.draws = &draws}).values();
    result.insert(result.end(), training.begin(), training.end());
  };
  look();
  const Tensors gradient = gradients(toy::loss(model, toy::tokens(1, trained)), model.leaves());
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
  const auto serves = [](const Case& one) { return one.serves(32, 32); };
  const bool roomy = serves(GetParam().base) && std::all_of(GetParam().other.begin(), GetParam().other.end(), serves);
  const Index trained = roomy ? 32 : toy::trained;
  std::vector<std::vector<double>> seen{observations(GetParam().base, trained)};
  std::size_t different = 0;
  for (const Case& other : GetParam().other) {
    const std::vector<double> now = observations(other, trained);
    for (std::size_t i = 0; i < seen.size() && GetParam().words; ++i) {
      EXPECT_TRUE(differ(now, seen[i])) << toy::name_of(other) << " looks like "
                                        << toy::name_of(i == 0 ? GetParam().base : GetParam().other[i - 1]);
    }
    different += differ(now, seen[0]);
    seen.push_back(now);
  }
  EXPECT_GT(different, 0u);
}

INSTANTIATE_TEST_SUITE_P(Positional, EveryScheme, testing::ValuesIn(toy::all_cases()), toy::case_name);
INSTANTIATE_TEST_SUITE_P(Positional, EverySetting, testing::ValuesIn(toy::all_settings()), toy::setting_name);
INSTANTIATE_TEST_SUITE_P(Positional, RefusedScheme, testing::ValuesIn(toy::refused_cases()), toy::case_name);

}  // namespace
}  // namespace ropewalk
