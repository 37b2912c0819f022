#include <complex>
#include <numbers>

#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using positional::Positions;
using toy::Rows;

constexpr double pi = std::numbers::pi;

struct Rope {
  double base;
  std::string layout;
  double fraction;
};

std::unique_ptr<positional::Scheme> prepared(const Rope& rope, Index head_width) {
  auto scheme = toy::scheme("rope", {{"base", rope.base}, {"layout", rope.layout}, {"fraction", rope.fraction}});
  scheme->prepare({.width = head_width, .heads = 1}, Random(0), Type::f64);
  return scheme;
}

/// The rotation as complex numbers, written from the paper (eq. 12) without the framework's tables.
std::vector<double> rotated(std::vector<double> x, double position, const Rope& rope) {
  const auto turning = static_cast<std::size_t>(std::lround(rope.fraction * static_cast<double>(x.size())));
  for (std::size_t j = 0; j < turning / 2; ++j) {
    const std::size_t first = rope.layout == "half" ? j : 2 * j, second = rope.layout == "half" ? j + turning / 2 : 2 * j + 1;
    const double theta = std::exp(-2.0 * static_cast<double>(j) / static_cast<double>(turning) * std::log(rope.base));
    const std::complex<double> turned = std::complex(x[first], x[second]) * std::polar(1.0, position * theta);
    x[first] = turned.real();
    x[second] = turned.imag();
  }
  return x;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

class RopeTest : public testing::TestWithParam<Rope> {};

TEST_P(RopeTest, ScoresAreThoseOfTurnedComplexNumbers) {
  const Rows q = toy::random_rows(4, 8, "q"), k = toy::random_rows(4, 8, "k");
  const Positions positions{0, 1, 7, 300.5};
  const Rows scores = toy::relative_scores(q, k, *prepared(GetParam(), 8), positions);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto score = [&](std::size_t j) {
      return dot(rotated(q[i], positions.at(0, static_cast<Index>(i)), GetParam()),
                 rotated(k[j], positions.at(0, static_cast<Index>(j)), GetParam())) /
             std::sqrt(8.0);
    };
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(scores[i][j], score(j) - score(0), 1e-10) << i << " looking at " << j;
  }
}

TEST_P(RopeTest, ScoresDependOnTheDifferenceOfPositionsAlone) {
  const Rows q = toy::random_rows(4, 8, "q"), k = toy::random_rows(4, 8, "k");
  const auto scheme = prepared(GetParam(), 8);
  const Rows here = toy::relative_scores(q, k, *scheme, {0, 1, 2, 9}),
             there = toy::relative_scores(q, k, *scheme, {70, 71, 72, 79});
  const Rows spread = toy::relative_scores(q, k, *scheme, {0, 2, 4, 18});
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(here[i][j], there[i][j], 1e-10);
  }
  EXPECT_GT(std::abs(here[1][3] - spread[1][3]), 1e-3);
}

TEST_P(RopeTest, EveryBlockOfTheRotationIsOrthogonal) {
  const RotationTables tables = toy::terms_of(*prepared(GetParam(), 8), {0, 1, 12345, 1e6, -3}).query_rotation;
  const std::vector<double> cosine = tables.cosine.values(), sine = tables.sine.values();
  ASSERT_EQ(tables.cosine.shape(), (Shape{5, std::lround(4 * GetParam().fraction)}));
  EXPECT_EQ(tables.interleaved, GetParam().layout == "interleaved");
  for (std::size_t i = 0; i < cosine.size(); ++i) EXPECT_NEAR(cosine[i] * cosine[i] + sine[i] * sine[i], 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Settings, RopeTest,
                         testing::Values(Rope{10000, "interleaved", 1}, Rope{10000, "half", 1}, Rope{10000, "interleaved", 0.5},
                                         Rope{500, "half", 0.25}, Rope{100, "interleaved", 0.75}, Rope{1e7, "half", 0.5},
                                         Rope{1.5, "interleaved", 1}));

/// Score of a head (1, 0) with itself at two positions, turning by `angle` a token.
double unit_score(double angle, double m, double n) {
  const Rows ones{{1, 0}, {1, 0}};
  const Rows scores = toy::relative_scores(ones, ones, *prepared({10000, "interleaved", 1}, 2), {m * angle, n * angle});
  return 1 + std::sqrt(2.0) * scores[0][1];  // a query and its own key score 1 before the division by √d
}

TEST(RopeExamples, ThirtyDegreesATokenGivesOneHalfTwoTokensApart) {
  EXPECT_NEAR(unit_score(pi / 6, 1, 3), 0.5, 1e-12);
  EXPECT_NEAR(unit_score(pi / 6, 0, 2), 0.5, 1e-12);
  EXPECT_NEAR(unit_score(pi / 6, 5, 7), 0.5, 1e-12);
  EXPECT_NEAR(unit_score(pi / 6, 10, 12), 0.5, 1e-12);
}

TEST(RopeExamples, FortyFiveDegreesATokenGivesZeroTwoTokensApart) { EXPECT_NEAR(unit_score(pi / 4, 0, 2), 0, 1e-12); }

TEST(RopeAngles, AreComputedInDoubleWhateverTheModelsType) {
  const auto scheme = prepared({10000, "interleaved", 1}, 8);
  const Positions far{1e6 + 1};
  const auto cosine = [&](Type type) {
    AttentionTerms terms;
    scheme->effect(far, type)(terms, {});
    return convert(terms.query_rotation.cosine, Type::f64);
  };
  EXPECT_LT(toy::distance(cosine(Type::f32), cosine(Type::f64)), 1e-7);
}

std::vector<positional::Complaint> complaints(Index head_width, double fraction) {
  return toy::scheme("rope", {{"fraction", fraction}})->complaints({.width = 2 * head_width, .heads = 2}, {});
}

TEST(RopeComplaints, OddNumbersOfElementsCannotTurn) {
  for (auto [head_width, fraction] : {std::pair<Index, double>{3, 1.0}, {6, 0.5}, {8, 0.3}, {8, 0.01}, {1, 1.0}}) {
    const auto found = complaints(head_width, fraction);
    ASSERT_EQ(found.size(), 1u) << head_width << " " << fraction;
    EXPECT_EQ(found[0].setting, "fraction");
  }
  EXPECT_EQ(complaints(3, 1.0)[0].reason,
            "rotation works on pairs: expected fraction times the head width 3 to be an even number of elements, got 3");
}

TEST(RopeComplaints, EvenNumbersCan) {
  EXPECT_TRUE(complaints(4, 1.0).empty());
  EXPECT_TRUE(complaints(6, 2.0 / 3).empty());
  EXPECT_TRUE(complaints(8, 0.25).empty());
}

}  // namespace
}  // namespace ropewalk
