#include <complex>

#include "framework/ops/layout.hpp"
#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using toy::Heads;

struct Xpos {
  double base, gamma, scale_base;
  std::string layout;

  toy::Values values() const { return {{"base", base}, {"gamma", gamma}, {"scale_base", scale_base}, {"layout", layout}}; }

  /// Σ_j ζ_j^((m−n)/S) Re(q_j e^{imθ_j} · conj(k_j e^{inθ_j})) / √d, Sun et al. 2022, §3.1, pairs as complex numbers.
  double score(const Heads& x, Index h, Index i, Index j, double m, double n) const {
    double sum = 0;
    for (Index pair = 0; pair < x.width / 2; ++pair) {
      const Index a = layout == "half" ? pair : 2 * pair, b = layout == "half" ? pair + x.width / 2 : 2 * pair + 1;
      const double share = 2 * static_cast<double>(pair) / static_cast<double>(x.width);
      const double zeta = (share + gamma) / (1 + gamma), theta = std::pow(base, -share);
      const auto q = std::complex(x.q(h, i, a), x.q(h, i, b)) * std::polar(1.0, m * theta);
      const auto k = std::complex(x.k(h, j, a), x.k(h, j, b)) * std::polar(1.0, n * theta);
      sum += std::pow(zeta, (m - n) / scale_base) * (q * std::conj(k)).real();
    }
    return sum / std::sqrt(static_cast<double>(x.width));
  }
};

class XposTest : public testing::TestWithParam<Xpos> {};

TEST_P(XposTest, ScoresAreThoseOfRopeTimesADecayOfEveryPair) {
  const Heads x{2, 7, 6};
  const auto scheme = toy::prepared("xpos", GetParam().values(), {.width = 12, .heads = 2, .length = 7});
  for (const positional::Positions& at : toy::kinds_of_positions) {
    toy::expect_scores(x, *scheme, at,
                       [&](Index h, Index i, Index j) { return GetParam().score(x, h, i, j, at.at(0, i), at.at(0, j)); });
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, XposTest,
                         testing::Values(Xpos{10000, 0.4, 512, "interleaved"}, Xpos{10000, 0.4, 512, "half"},
                                         Xpos{100, 1, 20, "interleaved"}),
                         [](const auto& info) { return info.param.layout + std::to_string(info.index); });

/// Terms in the type of some queries for the last `queries` of `keys` tokens.
AttentionTerms last_of(const positional::Scheme& scheme, Index queries, Index keys, Type type) {
  AttentionTerms terms;
  const positional::Positions all = positional::contiguous(keys);
  scheme.effect({all.part(keys - queries, keys), all}, type)(terms, {});
  return terms;
}

// ζ^(−m/S) of the first pair is e^160 there, beyond single precision. More queries than a piece of work takes (4096).
TEST(XposLength, IsFiniteAndExactInSinglePrecisionAtSixtyFiveThousandTokens) {
  constexpr Index keys = 65'536, queries = 4100, width = 4;
  const auto scheme = toy::prepared("xpos", {}, {.width = width, .heads = 1, .length = 64});
  const auto draw = [](Index length, const char* name) { return normal({1, length, width}, 1, Random(3).stream(name)); };
  const Tensor query = draw(queries, "q"), key = draw(keys, "k"), value = draw(keys, "v");
  const Tensor single = attention(query, key, value, 1, last_of(*scheme, queries, keys, Type::f32));
  for (double element : single.values()) ASSERT_TRUE(std::isfinite(element));

  constexpr Index few = 8;
  const auto wide = [](const Tensor& x) { return convert(x, Type::f64); };
  const auto tail = [&](const Tensor& x) { return packed(slice(x, 1, queries - few, queries)); };
  const Tensor twice = attention(wide(tail(query)), wide(key), wide(value), 1, last_of(*scheme, few, keys, Type::f64));
  EXPECT_LT(toy::distance(wide(tail(single)), twice), 1e-5);
}

// What a sequence's factors are taken relative to is its own, however far apart the sequences of a batch are.
TEST(XposLength, SequencesOfABatchMayBeFarApart) {
  const auto scheme = toy::prepared("xpos", {{"scale_base", 64.0}}, {.width = 4, .heads = 1, .length = 8});
  const Tensor one = normal({1, 8, 12}, 1, Random(3).stream("qkv")), both = concatenate({one, one}, 0);
  std::vector<double> positions = positional::contiguous(8, 100'000).values();
  const std::vector<double> near = positional::contiguous(8).values();
  positions.insert(positions.end(), near.begin(), near.end());
  AttentionTerms terms;
  scheme->effect(positional::Positions(positions, 2), Type::f32)(terms, {});
  for (const auto form : {static_cast<Tensor (*)(const Tensor&, Index, const AttentionTerms&)>(attention), attention_reference}) {
    const Tensor y = form(both, 1, terms);
    EXPECT_LT(toy::distance(slice(y, 0, 0, 1), slice(y, 0, 1, 2)), 1e-5);
  }
}

TEST(XposComplaints, AnOddHeadWidthIsRefused) {
  EXPECT_EQ(toy::complaints(*toy::scheme("xpos"), {.width = 6, .heads = 2, .length = 8}),
            std::vector<std::string>{": rotation works on pairs: expected an even head width, got 3"});
}

TEST(XposComplaints, FactorsThatNoFloatHoldsAreRefused) {
  const positional::Context context{.width = 8, .heads = 2, .length = 4096};
  EXPECT_EQ(toy::complaints(*toy::scheme("xpos", {{"scale_base", 10.0}}), context),
            std::vector<std::string>{
                "scale_base: the factors of positions up to 4096 would reach e^513: expected at least 65, got 10"});
  EXPECT_TRUE(toy::complaints(*toy::scheme("xpos", {{"scale_base", 65.0}}), context).empty());
}

}  // namespace
}  // namespace ropewalk
