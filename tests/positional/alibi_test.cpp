#include "framework/positional/alibi.hpp"

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/select.hpp"
#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

std::unique_ptr<positional::Scheme> prepared(Index heads, const toy::Values& values = {}) {
  auto scheme = toy::scheme("alibi", values);
  scheme->prepare({.width = 4 * heads, .heads = heads}, Random(0), Type::f64);
  return scheme;
}

struct Slopes {
  Index heads;
  std::vector<double> exponents;
};

class AlibiSlopes : public testing::TestWithParam<Slopes> {};

TEST_P(AlibiSlopes, AreThoseOfThePaper) {
  const std::vector<double> slopes = positional::alibi_slopes(GetParam().heads);
  ASSERT_EQ(slopes.size(), GetParam().exponents.size());
  for (std::size_t h = 0; h < slopes.size(); ++h)
    EXPECT_NEAR(std::log2(slopes[h]), GetParam().exponents[h], 1e-12) << "head " << h;
}

INSTANTIATE_TEST_SUITE_P(Heads, AlibiSlopes,
                         testing::Values(Slopes{1, {-8}}, Slopes{2, {-4, -8}}, Slopes{3, {-4, -8, -2}},
                                         Slopes{6, {-2, -4, -6, -8, -1, -3}}, Slopes{8, {-1, -2, -3, -4, -5, -6, -7, -8}},
                                         Slopes{12, {-1, -2, -3, -4, -5, -6, -7, -8, -0.5, -1.5, -2.5, -3.5}}));

TEST(Alibi, BiasIsMinusSlopeTimesDistance) {
  const Index length = 7;
  for (Index heads : {1, 2, 6, 8, 12}) {
    const std::vector<double> slopes = positional::alibi_slopes(heads);
    std::vector<double> expected;
    for (double slope : slopes) {
      for (Index i = 0; i < length; ++i) {
        for (Index j = 0; j < length; ++j) expected.push_back(-slope * static_cast<double>(std::abs(i - j)));
      }
    }
    EXPECT_LT(toy::distance(toy::dense_bias(*prepared(heads), length), Tensor::of(expected, {heads, length, length}, Type::f64)),
              1e-15);
  }
}

TEST(Alibi, IsNotDividedByTheRootOfTheHeadWidth) {
  const toy::Rows zero(4, std::vector<double>(16, 0.0));
  const toy::Rows scores = toy::relative_scores(zero, zero, *prepared(1), positional::contiguous(4));
  EXPECT_NEAR(scores[0][3], -3.0 / 256, 1e-12);
}

/// softmax(q·k/√d + slope·n) v under the mask, with a bonus that grows with the key alone; one sequence, two heads of width 4.
Tensor attention_with_bonus(const Tensor& qkv) {
  const Index length = qkv.dim(1);
  const Tensor split = permute(reshape(qkv, {length, 3, 2, 4}), {1, 2, 0, 3});
  const auto part = [&](Index which) { return reshape(slice(split, 0, which, which + 1), {2, length, 4}); };
  const Tensor slopes = Tensor::of(positional::alibi_slopes(2), {2, 1, 1}, Type::f64);
  const Tensor key = Tensor::of(positional::contiguous(length).values(), {1, 1, length}, Type::f64);
  std::vector<std::int32_t> hidden;
  for (Index i = 0; i < length * length; ++i) hidden.push_back(i % length > i / length);
  const Tensor scores = add(scale(matmul(part(0), transpose(part(1))), 0.5), multiply(slopes, key));
  const Tensor weights = softmax(masked_fill(scores, Tensor::of(hidden, {length, length}), -INFINITY));
  return reshape(permute(matmul(weights, part(2)), {1, 0, 2}), {1, length, 8});
}

TEST(Alibi, UnderTheMaskItIsTheSameAsABonusThatGrowsWithTheKey) {
  const Tensor qkv = normal({1, 9, 24}, 1, Random(4).stream("qkv"), Type::f64);
  const Tensor penalised = attention(qkv, 2, toy::terms_of(*prepared(2), positional::contiguous(9)));
  EXPECT_LT(toy::distance(penalised, attention_with_bonus(qkv)), 1e-12);
}

TEST(Alibi, OnlyTheFirstHeadsCarryABiasIfSoAsked) {
  const std::vector<double> bias = toy::dense_bias(*prepared(4, {{"heads", std::int64_t{2}}}), 2).values();
  const std::vector<double> expected{0, -1.0 / 16, -1.0 / 16, 0, 0, -1.0 / 256, -1.0 / 256, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(bias, expected);
}

TEST(Alibi, LearnedSlopesStartAtThePapersAndOnlyHeadsThatCarryABiasLearn) {
  EXPECT_TRUE(prepared(4)->parameters().empty());
  const auto all = prepared(4, {{"slopes", "learned"}});
  ASSERT_EQ(all->parameters().size(), 1u);
  EXPECT_EQ(all->parameters()[0].name, "slopes");
  EXPECT_EQ(all->parameters()[0].tensor->values(), positional::alibi_slopes(4));

  const toy::Values two{{"slopes", "learned"}, {"heads", std::int64_t{2}}};
  nn::TransformerSettings settings = toy::settings("decoder", "alibi", two);
  settings.heads = 4;
  const toy::Model model(settings);
  const std::vector<double> gradient =
      gradients(toy::loss(model, toy::tokens(2, 8)), {*model.parameters().back().tensor})[0].values();
  ASSERT_EQ(gradient.size(), 4u);
  EXPECT_NE(gradient[0], 0);
  EXPECT_NE(gradient[1], 0);
  EXPECT_EQ(gradient[2], 0);
  EXPECT_EQ(gradient[3], 0);
}

TEST(Alibi, MoreHeadsThanThereAreAreRefused) {
  const auto scheme = toy::scheme("alibi", {{"heads", std::int64_t{5}}});
  const auto found = scheme->complaints({.width = 16, .heads = 4}, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].setting, "heads");
  EXPECT_EQ(found[0].reason, "5 heads cannot carry a bias in a model of 4");
  EXPECT_TRUE(scheme->complaints({.width = 20, .heads = 5}, {}).empty());
}

const positional::Context encoder{.width = 8, .heads = 2, .length = 7, .causal = false};

TEST(AlibiRight, KeysToTheRightHaveASlopeOfTheirOwn) {
  const toy::Heads x{2, 7, 4};
  for (double right : {0.0, 0.5, 3.0}) {
    const auto scheme = toy::prepared("alibi", {{"right", right}}, encoder);
    EXPECT_TRUE(scheme->parameters().empty());
    for (const positional::Positions& at : toy::kinds_of_positions) {
      toy::expect_scores(x, *scheme, at, [&](Index h, Index i, Index j) {
        const double slope = h == 0 ? 1.0 / 16 : 1.0 / 256, distance = at.at(0, i) - at.at(0, j);
        return x.product(h, i, j) / 2 - (distance > 0 ? slope * distance : right * slope * -distance);
      });
    }
  }
}

TEST(AlibiRight, SlopesOfBothSidesAreLearned) {
  const toy::Heads x{2, 7, 4};
  const auto scheme = toy::prepared("alibi", {{"right", 0.5}, {"slopes", "learned"}}, encoder);
  ASSERT_EQ(scheme->parameters().size(), 2u);
  EXPECT_EQ(toy::symbol(*scheme, "slopes_right").values(), (std::vector<double>{1.0 / 32, 1.0 / 512}));
  toy::set(*scheme, "slopes", {0.7, 0.2});
  toy::set(*scheme, "slopes_right", {0.1, -0.3});
  toy::expect_scores(x, *scheme, positional::contiguous(7), [&](Index h, Index i, Index j) {
    const double left = h == 0 ? 0.7 : 0.2, right = h == 0 ? 0.1 : -0.3, distance = static_cast<double>(i - j);
    return x.product(h, i, j) / 2 - (distance > 0 ? left * distance : right * -distance);
  });
}

TEST(AlibiRight, ADecoderRefusesIt) {
  using Found = std::vector<std::string>;
  const auto about = [](double right, bool causal) {
    return toy::complaints(*toy::scheme("alibi", {{"right", right}}), {.width = 8, .heads = 2, .length = 7, .causal = causal});
  };
  EXPECT_EQ(about(0.5, true), Found{"right: a decoder sees no keys to the right; leave it at 1"});
  EXPECT_EQ(about(0.5, false), Found{});
  EXPECT_EQ(about(1, true), Found{});
}

TEST(AlibiComplaints, FixedSlopesForEveryLayerAreRefused) {
  const positional::Context context{.width = 8, .heads = 2, .length = 7};
  EXPECT_EQ(toy::complaints(*toy::scheme("alibi", {{"per_layer", true}}), context),
            std::vector<std::string>{"per_layer: fixed slopes are no parameters; set slopes to learned"});
  EXPECT_TRUE(toy::complaints(*toy::scheme("alibi", {{"per_layer", true}, {"slopes", "learned"}}), context).empty());
}

}  // namespace
}  // namespace ropewalk
