// Every sampler with every scheme, in training: what must hold when each sequence has positions of its own.
#include "framework/ops/layout.hpp"
#include "tests/positional/cases.hpp"

namespace ropewalk {
namespace {

using toy::Case;
using toy::Model;

constexpr double changed = 1e-6;  // a difference that is no rounding

struct Pair {
  std::string sampler;
  Case scheme;

  nn::TransformerSettings settings() const {
    nn::TransformerSettings settings = scheme.settings();
    settings.positions.select(sampler);
    if (sampler == "randomized") toy::assign(settings.positions.fields(), "range", Index{40});
    return settings;
  }
  /// True if the scheme can serve a model with positions like these.
  bool legal() const {
    const nn::TransformerSettings own = settings();
    return positional::complaints_about(*own.position, own.context(toy::trained, toy::marks), {toy::trained}).empty();
  }
};

/// Every scheme as it comes, and rope with every scaling.
std::vector<Case> schemes_to_try() {
  std::vector<Case> cases;
  for (const Case& one : toy::all_cases()) {
    const bool scaled_rope =
        one.kind == "rope" && !one.values.empty() && one.values.size() <= 2 && one.values.front().first == "scaling";
    if (one.values.empty() || scaled_rope) cases.push_back(one);
  }
  return cases;
}

std::vector<Pair> pairs(bool legal) {
  std::vector<Pair> found;
  for (const Kind<positional::Sampler>& sampler : positional::samplers()) {
    for (const Case& scheme : schemes_to_try()) {
      if (const Pair pair{sampler.name, scheme}; pair.legal() == legal) found.push_back(pair);
    }
  }
  return found;
}

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.sampler << "_" << toy::name_of(pair.scheme); }

std::string pair_name(const testing::TestParamInfo<Pair>& info) { return testing::PrintToString(info.param); }

class EverySamplerWithEveryScheme : public testing::TestWithParam<Pair> {
 protected:
  Tensor training(const Tensor& tokens, bool reference = false) const {
    return model_(tokens, {.draws = &draws_, .reference = reference});
  }
  Tensor loss(bool reference = false) const { return toy::loss(model_, tokens_, {.draws = &draws_, .reference = reference}); }
  double loss_at(double& coordinate, double value) const {
    const NoGradient scope;
    const double start = coordinate;
    coordinate = value;
    const double found = loss().item();
    coordinate = start;
    return found;
  }

  const positional::Draws draws_{Random(4), 6, 0, true};
  const Tensor tokens_ = toy::tokens(3, toy::trained);
  const Model model_{GetParam().settings(), toy::trained};
};

TEST_P(EverySamplerWithEveryScheme, MattersExactlyIfItActsOnTheScheme) {
  const nn::TransformerSettings settings = GetParam().settings();
  const auto difference = [&](Index length) {
    const Tensor tokens = toy::tokens(3, length);
    return toy::distance(model_(tokens), model_(tokens, settings.positions->positions(length, 3, &draws_)));
  };
  // Some go by positions only far from a token, and none far enough is within the trained length.
  const bool goes_far = settings.positions->change() == positional::Change::shift && GetParam().scheme.serves(toy::trained, 72);
  const double found = std::max(difference(toy::trained), goes_far ? difference(72) : 0);
  if (positional::acts_on(*settings.positions, *settings.position)) {
    EXPECT_GT(found, changed);
  } else {
    EXPECT_LT(found, 1e-9);
  }
}

TEST_P(EverySamplerWithEveryScheme, FusedAttentionEqualsTheDenseReference) {
  EXPECT_LT(toy::distance(training(tokens_), training(tokens_, true)), 1e-10);
  const Tensors fused = gradients(loss(), model_.leaves()), dense = gradients(loss(true), model_.leaves());
  for (std::size_t p = 0; p < fused.size(); ++p) {
    EXPECT_LT(toy::distance(fused[p], dense[p]), 1e-10) << model_.parameters()[p].name;
  }
}

TEST_P(EverySamplerWithEveryScheme, GradientsAgreeWithDifferences) {
  const Tensors found = gradients(loss(), model_.leaves());
  for (std::size_t p = 0; p < found.size(); ++p) {
    const Parameter& parameter = model_.parameters()[p];
    const std::vector<double> values = found[p].values();
    const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
    Stream stream = Random(3).stream(parameter.name);
    for (Index at : {std::max_element(values.begin(), values.end(), smaller) - values.begin(),
                     static_cast<std::ptrdiff_t>(stream.below(values.size()))}) {
      double& coordinate = parameter.tensor->data<double>()[at];
      const double step = 1e-5, above = loss_at(coordinate, coordinate + step), below = loss_at(coordinate, coordinate - step);
      const double measured = (above - below) / (2 * step);
      EXPECT_NEAR(values[static_cast<std::size_t>(at)], measured, 1e-6 * std::abs(measured) + 1e-9)
          << parameter.name << "[" << at << "]";
    }
  }
}

TEST_P(EverySamplerWithEveryScheme, ALaterTokenReachesAnEarlierOutputOnlyWithoutTheMask) {
  const Tensor logits = training(tokens_);
  for (Index at : {Index{1}, toy::trained - 1}) {
    const Tensor other = copy(tokens_);
    for (Index row = 0; row < 3; ++row) {
      std::int32_t& token = other.data<std::int32_t>()[row * toy::trained + at];
      token = (token + 1) % static_cast<std::int32_t>(toy::vocabulary);
    }
    const Tensor now = training(other);
    const double before = toy::distance(slice(logits, 1, 0, at), slice(now, 1, 0, at));
    if (GetParam().scheme.causal) {
      EXPECT_EQ(before, 0) << "token " << at;
    } else {
      EXPECT_GT(before, changed) << "token " << at;
    }
    EXPECT_GT(toy::distance(slice(logits, 1, at, toy::trained), slice(now, 1, at, toy::trained)), changed);
  }
}

/// The same tokens at contiguous positions, with the same other chances of training.
TEST_P(EverySamplerWithEveryScheme, AnOffsetMattersExactlyIfTheSchemeIsAbsolute) {
  if (GetParam().sampler != "offset") return;
  const double difference =
      toy::distance(training(tokens_), model_(tokens_, positional::contiguous(toy::trained), {.draws = &draws_}));
  if (!model_.positioning().traits().absolute) {
    EXPECT_LT(difference, 1e-9);
  } else if (GetParam().scheme.values.empty()) {  // a scaling may act on tokens further apart than these
    EXPECT_GT(difference, changed);
  }
}

TEST_P(EverySamplerWithEveryScheme, ASequenceInAShardOfItsOwnGetsWhatItGetsInTheBatch) {
  const positional::Draws third{Random(4), 6, 2, true};
  const Tensor alone = model_(packed(slice(tokens_, 0, 2, 3)), {.draws = &third});
  EXPECT_LT(toy::distance(alone, slice(training(tokens_), 0, 2, 3)), 1e-12);
}

class RefusedWithASampler : public testing::TestWithParam<Pair> {};

// Grids are wholes: there is no patch at position 100 of a grid of 8.
TEST_P(RefusedWithASampler, NeedsAGridAndSaysSo) {
  const nn::TransformerSettings settings = GetParam().settings();
  EXPECT_TRUE(settings.position->traits().needs_grid);
  EXPECT_THROW(Model(settings, toy::trained), Error);
}

INSTANTIATE_TEST_SUITE_P(Positional, EverySamplerWithEveryScheme, testing::ValuesIn(pairs(true)), pair_name);
INSTANTIATE_TEST_SUITE_P(Positional, RefusedWithASampler, testing::ValuesIn(pairs(false)), pair_name);

}  // namespace
}  // namespace ropewalk
