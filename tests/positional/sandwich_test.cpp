#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using toy::Heads;

constexpr Index heads = 3;

/// (σ(Δ) − D̄/2)·H/(8h) with σ(Δ) = Σ_{i < D̄/2} cos(Δ base^(−2i/D̄)), Chi et al. 2023, equation 2 and §5.
double bias(double distance, Index width, double base, Index head) {
  double product = 0;
  for (Index i = 0; i < width / 2; ++i) {
    product += std::cos(distance / std::pow(base, 2.0 * static_cast<double>(i) / static_cast<double>(width)));
  }
  return (product - static_cast<double>(width) / 2) * static_cast<double>(heads) / (8.0 * static_cast<double>(head + 1));
}

TEST(Sandwich, BiasIsTheInnerProductOfTwoSinusoids) {
  const Heads x{heads, 7, 4};
  for (const auto& [width, base] : {std::pair<Index, double>{128, 10000}, {10, 20}}) {
    const auto scheme =
        toy::prepared("sandwich", {{"width", width}, {"base", base}}, {.width = 4 * heads, .heads = heads, .length = 7});
    EXPECT_TRUE(scheme->parameters().empty());
    for (const positional::Positions& at : toy::kinds_of_positions) {
      toy::expect_scores(x, *scheme, at, [&, width = width, base = base](Index h, Index i, Index j) {
        return x.product(h, i, j) / 2 + bias(at.at(0, i) - at.at(0, j), width, base, h);
      });
    }
  }
}

TEST(Sandwich, IsZeroAtDistanceZeroAndNegativeElsewhere) {
  const Heads x{heads, 7, 4};
  x.clear(0);
  const auto scheme = toy::prepared("sandwich", {}, {.width = 4 * heads, .heads = heads, .length = 7});
  const std::vector<double> scores =
      attention_map(x.qkv, heads, toy::terms_of(*scheme, positional::contiguous(7))).scores.values();
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(scores[(h * 7 + i) * 7 + i], 0);
      for (std::size_t j = 0; j < i; ++j) EXPECT_LT(scores[(h * 7 + i) * 7 + j], -0.01);
    }
  }
}

TEST(Sandwich, AnOddWidthIsRefused) {
  EXPECT_EQ(toy::complaints(*toy::scheme("sandwich", {{"width", Index{7}}}), {.width = 8, .heads = 2, .length = 7}),
            std::vector<std::string>{"width: a sine goes with a cosine: expected an even width, got 7"});
}

}  // namespace
}  // namespace ropewalk
