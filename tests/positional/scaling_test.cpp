// How rope is carried beyond its trained length: frequencies, factors and scores against the formulas of the papers.
#include <numbers>

#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using positional::contiguous;
using toy::Heads;
using toy::Values;
using Found = std::vector<std::string>;

constexpr Index pairs = 8, width = 2 * pairs, trained = 64;
constexpr double base = 10000;

Values scaled(const std::string& kind, const Values& settings = {}) {
  Values values{{"scaling", kind}};
  for (const auto& [name, value] : settings) values.emplace_back("scaling." + name, value);
  return values;
}

std::unique_ptr<positional::Scheme> rope(const std::string& kind, const Values& settings = {}, Index head_width = width) {
  return toy::prepared("rope", scaled(kind, settings), {.width = 2 * head_width, .heads = 2, .length = trained});
}

/// Holds the frequencies of every pair at a length.
void expect_frequencies(const positional::Scheme& scheme, Index length, const std::function<double(double share)>& expected) {
  const std::vector<double> found = scheme.frequencies(length);
  ASSERT_EQ(found.size(), static_cast<std::size_t>(pairs));
  for (std::size_t j = 0; j < pairs; ++j) {
    const double value = expected(2 * static_cast<double>(j) / width);
    EXPECT_NEAR(found[j] / value, 1, 1e-12) << "pair " << j;
  }
}

/// Rotation tables turn by frequency times position, times a magnitude.
void expect_tables(const positional::Scheme& scheme, Index length, double magnitude) {
  const RotationTables tables = toy::terms_of(scheme, contiguous(length)).query_rotation;
  const std::vector<double> frequencies = scheme.frequencies(length), cosine = tables.cosine.values(),
                            sine = tables.sine.values();
  for (std::size_t m = 0; m < static_cast<std::size_t>(length); ++m) {
    for (std::size_t j = 0; j < pairs; ++j) {
      EXPECT_NEAR(cosine[m * pairs + j], magnitude * std::cos(static_cast<double>(m) * frequencies[j]), 1e-12);
      EXPECT_NEAR(sine[m * pairs + j], magnitude * std::sin(static_cast<double>(m) * frequencies[j]), 1e-12);
    }
  }
}

double theta(double share, double of_base = base) { return std::pow(of_base, -share); }

TEST(Scaling, NoneLeavesFrequenciesAsTheyAre) {
  expect_frequencies(*rope("none"), 1000, [](double share) { return theta(share); });
  expect_tables(*rope("none"), 100, 1);
}

TEST(Scaling, LinearDividesPositions) {
  expect_frequencies(*rope("linear", {{"factor", 3.0}}), 1000, [](double share) { return theta(share) / 3; });
  expect_tables(*rope("linear", {{"factor", 3.0}}), 100, 1);
}

TEST(Scaling, NtkHasALargerBase) {
  const double larger = base * std::pow(4, 16.0 / 14);
  const auto scheme = rope("ntk", {{"factor", 4.0}});
  expect_frequencies(*scheme, 10, [&](double share) { return theta(share, larger); });
  EXPECT_EQ(scheme->frequencies(10).front(), 1);                                 // the fastest stays
  EXPECT_NEAR(scheme->frequencies(10).back() * 4 / theta(14.0 / 16), 1, 1e-12);  // the slowest is stretched by the factor
  expect_tables(*scheme, 100, 1);
}

TEST(Scaling, DynamicNtkIsNoneUpToTheTrainedLengthAndThenDependsOnTheLengthAtHand) {
  const auto scheme = rope("dynamic_ntk");
  const auto at = [&](Index length) {
    const double s = std::max(1.0, static_cast<double>(length) / trained);
    expect_frequencies(*scheme, length, [s](double share) { return theta(share, base * std::pow(s, 16.0 / 14)); });
  };
  for (Index length : {1, 63, 64}) expect_frequencies(*scheme, length, [](double share) { return theta(share); });
  for (Index length : {65, 1024, 128, 64, 1024, 1}) at(length);  // whatever was asked for before
  expect_tables(*scheme, 64, 1);
  expect_tables(*scheme, 200, 1);
  EXPECT_TRUE(scheme->traits().depends_on_length);
}

// Peng et al. 2023, §3.2 to 3.4.
TEST(Scaling, YarnRampsBetweenInterpolationAndNone) {
  for (const auto& [s, alpha, beta] : {std::tuple{4.0, 1.0, 32.0}, {16.0, 0.5, 3.0}, {1.0, 1.0, 32.0}}) {
    const auto scheme = rope("yarn", {{"factor", s}, {"alpha", alpha}, {"beta", beta}});
    Index below = 0, within = 0, above = 0;
    expect_frequencies(*scheme, 1000, [&, s = s, alpha = alpha, beta = beta](double share) {
      const double wavelength = 2 * std::numbers::pi / theta(share), r = trained / wavelength;
      const double gamma = r < alpha ? 0 : r > beta ? 1 : (r - alpha) / (beta - alpha);
      ++(gamma == 0 ? below : gamma == 1 ? above : within);
      return (1 - gamma) * theta(share) / s + gamma * theta(share);
    });
    EXPECT_GT(below, 0);
    EXPECT_GT(within, 0);
    EXPECT_EQ(above > 0, beta < 10);  // a head turns at most 64/2π times here
    expect_tables(*scheme, 100, 0.1 * std::log(s) + 1);
  }
}

TEST(Scaling, YarnSharpensScoresByTheSquareOfItsMagnitude) {
  const Heads x{2, 7, width};
  const auto yarn = rope("yarn", {{"factor", 16.0}});
  for (const positional::Positions& at : toy::kinds_of_positions) {
    const std::vector<double> turning = yarn->frequencies(7);
    toy::expect_scores(x, *yarn, at, [&](Index h, Index i, Index j) {
      double sum = 0;
      for (Index p = 0; p < pairs; ++p) {
        const double angle = (at.at(0, i) - at.at(0, j)) * turning[static_cast<std::size_t>(p)];
        const double a = x.q(h, i, 2 * p), b = x.q(h, i, 2 * p + 1), c = x.k(h, j, 2 * p), d = x.k(h, j, 2 * p + 1);
        sum += (a * c + b * d) * std::cos(angle) + (a * d - b * c) * std::sin(angle);
      }
      return std::pow(0.1 * std::log(16.0) + 1, 2) * sum / 4;
    });
  }
}

TEST(Scaling, Llama3KeepsShortWavelengthsStretchesLongOnesAndMixesBetween) {
  const auto expected = [](double share, double factor, double low, double high) {
    const double wavelength = 2 * std::numbers::pi / theta(share);
    if (wavelength < trained / high) return theta(share);
    if (wavelength > trained / low) return theta(share) / factor;
    const double smooth = (trained / wavelength - low) / (high - low);
    return (1 - smooth) * theta(share) / factor + smooth * theta(share);
  };
  expect_frequencies(*rope("llama3"), 1000, [&](double share) { return expected(share, 8, 1, 4); });
  const auto scheme = rope("llama3", {{"factor", 3.0}, {"low", 0.1}, {"high", 2.0}});
  expect_frequencies(*scheme, 1000, [&](double share) { return expected(share, 3, 0.1, 2); });
  expect_tables(*scheme, 100, 1);
}

// With base (L/2π)² the pair in the middle turns exactly once within the trained length.
TEST(Scaling, Llama3MeetsAtItsBoundaries) {
  const double turns_once = std::pow(trained / (2 * std::numbers::pi), 2);
  const auto middle = [&](double low, double high) {
    Values values = scaled("llama3", {{"factor", 8.0}, {"low", low}, {"high", high}});
    values.insert(values.begin(), {"base", turns_once});
    const auto scheme = toy::prepared("rope", values, {.width = width, .heads = 1, .length = trained});
    return scheme->frequencies(1)[pairs / 2] * trained / (2 * std::numbers::pi);
  };
  EXPECT_NEAR(middle(1, 4), 1.0 / 8, 1e-12);                // λ = L/low
  EXPECT_NEAR(middle(0.5, 1), 1, 1e-12);                    // λ = L/high
  EXPECT_NEAR(middle(0.5, 1.5), (1 + 1.0 / 8) / 2, 1e-12);  // half way
}

TEST(Scaling, LongRopeDividesEveryPairByItsFactorAndKeepsTheFirstPositions) {
  const std::vector<double> factors{1, 1.5, 2, 3, 5, 8, 13, 21};
  const auto scheme = rope("longrope", {{"factors", factors}, {"keep", Index{3}}});
  const std::vector<double> found = scheme->frequencies(1000);
  for (std::size_t j = 0; j < pairs; ++j) EXPECT_NEAR(found[j] * factors[j] / theta(static_cast<double>(j) / pairs), 1, 1e-12);
  const RotationTables tables = toy::terms_of(*scheme, contiguous(6)).key_rotation;
  for (std::size_t m = 0; m < 6; ++m) {
    for (std::size_t j = 0; j < pairs; ++j) {
      const double angle = static_cast<double>(m) * theta(static_cast<double>(j) / pairs) / (m < 3 ? 1 : factors[j]);
      EXPECT_NEAR(tables.cosine.values()[m * pairs + j], std::cos(angle), 1e-12) << "position " << m << ", pair " << j;
      EXPECT_NEAR(tables.sine.values()[m * pairs + j], std::sin(angle), 1e-12) << "position " << m << ", pair " << j;
    }
  }
  expect_tables(*rope("longrope", {{"factors", factors}}), 100, 1);
  EXPECT_TRUE(scheme->traits().absolute);
  EXPECT_FALSE(rope("longrope", {{"factors", factors}})->traits().absolute);
}

/// q·k/√d of rope with any relative position in the place of m − n.
double rotated_score(const Heads& x, Index h, Index i, Index j, double relative) {
  double sum = 0;
  for (Index p = 0; p < pairs; ++p) {
    const double angle = relative * theta(static_cast<double>(p) / pairs);
    const double a = x.q(h, i, 2 * p), b = x.q(h, i, 2 * p + 1), c = x.k(h, j, 2 * p), d = x.k(h, j, 2 * p + 1);
    sum += (a * c + b * d) * std::cos(angle) + (a * d - b * c) * std::sin(angle);
  }
  return sum / 4;
}

/// Holds scores under the mask to those of rope with another relative position.
void expect_relative(const positional::Scheme& scheme, const positional::Positions& at,
                     const std::function<double(double m, double n)>& relative) {
  const Heads x{2, at.length(), width};
  toy::expect_scores(x, toy::terms_of(scheme, at),
                     [&](Index h, Index i, Index j) { return rotated_score(x, h, i, j, relative(at.at(0, i), at.at(0, j))); });
}

TEST(TwoRanges, ReRopeEndsAtTheWindow) {
  for (Index window : {0, 1, 5, 100}) {
    for (const positional::Positions& at : {contiguous(20), contiguous(20, 7), positional::Positions{0, 1, 3, 4, 8.5, 30, 31}}) {
      expect_relative(*rope("rerope", {{"window", window}}), at,
                      [window](double m, double n) { return std::min(m - n, static_cast<double>(window)); });
    }
  }
}

TEST(TwoRanges, SelfExtendGroupsPositionsBeyondTheWindow) {
  for (const auto& [window, group] : {std::pair<Index, Index>{8, 4}, {5, 3}, {0, 2}, {6, 1}, {100, 4}}) {
    for (const positional::Positions& at : {contiguous(20), contiguous(20, 7), positional::Positions{0, 1, 3, 4, 8.5, 30, 31}}) {
      expect_relative(*rope("self_extend", {{"window", window}, {"group", group}}), at,
                      [window = window, group = group](double m, double n) {
                        if (m - n <= static_cast<double>(window)) return m - n;
                        const double g = static_cast<double>(group);
                        return std::floor(m / g) + static_cast<double>(window - window / group) - std::floor(n / g);
                      });
    }
  }
}

// From a key at 0, a query just beyond the window is as far as one at its end, up to the next group.
TEST(TwoRanges, SelfExtendsRangesMeetAtTheWindow) {
  expect_relative(*rope("self_extend", {{"window", Index{8}}, {"group", Index{4}}}), {0, 8, 9, 10, 11, 12},
                  [](double m, double n) {
                    if (n == 0 && m >= 8) return m < 12 ? 8.0 : 9.0;
                    return m - n;
                  });
}

// Su 2021; Chiang and Cholak 2022, §5.
TEST(Scaling, LogScaleMultipliesTheScoresOfLateQueries) {
  const Heads x{2, 7, width};
  for (const std::vector<double>& at :
       {std::vector<double>{0, 1, 2, 63, 64, 65, 4096}, std::vector<double>{0.5, 1.5, 64.5, 70, 71, 72, 99}}) {
    toy::expect_scores(x, *rope("log_scale"), at, [&](Index h, Index i, Index j) {
      const double m = at[static_cast<std::size_t>(i)], n = at[static_cast<std::size_t>(j)];
      return (m > trained ? std::log(m) / std::log(trained) : 1) * rotated_score(x, h, i, j, m - n);
    });
  }
}

// A model that is trained on 64 tokens, and on 256 once it is scaled, is scaled from 64; so is one whose setting says so.
TEST(Scaling, BeginsFromTheLengthTrainedBefore) {
  for (const Values& settings :
       {scaled("yarn", {{"factor", 4.0}}), scaled("llama3"), scaled("dynamic_ntk"), scaled("log_scale")}) {
    const positional::Context first{.width = 2 * width, .heads = 2, .length = trained};
    positional::Context later = first;
    later.length = 4 * trained;
    later.before = trained;
    const auto expected = toy::prepared("rope", settings, first);
    const auto begun = toy::scheme("rope", settings), told = toy::scheme("rope", settings);
    begun->resolve(later);
    told->resolve(first);  // as a resolved config has it
    later.before = 0;
    for (positional::Scheme* scheme : {begun.get(), told.get()}) {
      scheme->prepare(later, Random(0), Type::f64);
      EXPECT_EQ(scheme->frequencies(1000), expected->frequencies(1000));
      const auto factor = [](const positional::Scheme& of) { return toy::terms_of(of, contiguous(300)).query_factor; };
      ASSERT_EQ(factor(*scheme).defined(), factor(*expected).defined());
      if (!factor(*expected).defined()) continue;
      EXPECT_EQ(factor(*scheme).values(), factor(*expected).values());
    }
  }
}

TEST(ScalingComplaints, SayWhatWasExpected) {
  const auto about = [](const std::string& kind, const Values& settings, bool causal = true, Index head_width = 4) {
    return toy::complaints(*toy::scheme("rope", scaled(kind, settings)),
                           {.width = 2 * head_width, .heads = 2, .length = trained, .causal = causal});
  };
  const std::string two_pairs =
      "scaling.kind: the exponent d/(d - 2) needs more than one pair: expected more than 2 elements that turn, got 2";
  for (const char* kind : {"ntk", "dynamic_ntk"}) {
    EXPECT_EQ(about(kind, {}, true, 2), Found{two_pairs}) << kind;
    EXPECT_EQ(about(kind, {}), Found{}) << kind;
  }
  EXPECT_EQ(about("yarn", {{"alpha", 5.0}, {"beta", 2.0}}), Found{"scaling.beta: expected more than alpha 5, got 2"});
  EXPECT_EQ(about("yarn", {{"alpha", 2.0}, {"beta", 2.0}}).size(), 1u);
  EXPECT_EQ(about("llama3", {{"low", 4.0}}), Found{"scaling.high: expected more than low 4, got 4"});
  EXPECT_EQ(about("longrope", {{"factors", std::vector<double>{1, 2, 3}}}),
            Found{"scaling.factors: expected 2 factors, one for each pair that turns, got 3"});
  EXPECT_EQ(about("longrope", {{"factors", std::vector<double>{1, 2}}}), Found{});
  for (const char* kind : {"self_extend", "rerope"}) {
    EXPECT_EQ(about(kind, {}), Found{}) << kind;
    EXPECT_EQ(about(kind, {}, false), Found{"scaling.kind: is defined for keys to the left of a query alone; use model.kind "
                                            "decoder, or another scaling"})
        << kind;
  }
  EXPECT_EQ(toy::complaints(*toy::scheme("rope", scaled("log_scale")), {.width = 8, .heads = 2, .length = 1}),
            Found{"scaling.kind: divides by the logarithm of the trained length: expected more than 1 token, got 1"});
}

TEST(ScalingComplaints, OnlyRopeItselfRotatesByDistance) {
  for (const char* kind : {"self_extend", "rerope"}) {
    for (const char* scheme : {"xpos", "axial_rope"}) {
      EXPECT_EQ(toy::complaints(*toy::scheme(scheme, scaled(kind)), {.width = 16, .heads = 2, .length = trained}),
                Found{"scaling.kind: gives far pairs a rotation of their own, which only rope itself has a rule for"})
          << scheme << " " << kind;
    }
  }
}

}  // namespace
}  // namespace ropewalk
