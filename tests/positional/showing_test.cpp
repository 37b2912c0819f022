// What schemes show of themselves for looking at is what they do.
#include <cmath>
#include <string>

#include "framework/positional/scaling/scaling.hpp"
#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

constexpr Index trained = 16, length = 36;

/// Prepared for two heads of width 8.
std::unique_ptr<positional::Scheme> prepared(const std::string& kind, const toy::Values& values = {}) {
  auto scheme = toy::scheme(kind, values);
  scheme->prepare({.width = 16, .heads = 2, .length = trained}, Random(0), Type::f64);
  return scheme;
}

TEST(Rotation, OfEveryScalingIsThatOfAttention) {
  for (const char* kind : {"rope", "xpos", "axial_rope"}) {
    for (const auto& scaling : positional::scalings()) {
      toy::Values values{{"scaling", scaling.name}};
      if (scaling.name == "longrope") {
        values.push_back({"scaling.factors", std::vector<double>(kind == std::string("axial_rope") ? 2 : 4, 1.5)});
        values.push_back({"scaling.keep", std::int64_t{5}});
      }
      const positional::Context model{.width = 16, .heads = 2, .length = trained};
      if (!positional::complaints_about(*toy::scheme(kind, values), model, {length}).empty()) continue;
      const auto scheme = prepared(kind, values);
      const positional::Positions positions = positional::contiguous(length);
      const RotationTables shown = scheme->rotation(positions, Type::f64);
      const AttentionTerms terms = toy::terms_of(*scheme, positions);
      SCOPED_TRACE(std::string(kind) + " " + scaling.name);
      ASSERT_EQ(shown.cosine.shape(), (Shape{length, 4}));
      if (terms.product) continue;  // two rotations: the near one is shown, which is that without scaling
      EXPECT_EQ(toy::distance(shown.cosine, terms.query_rotation.cosine), 0);
      EXPECT_EQ(toy::distance(shown.sine, terms.query_rotation.sine), 0);
    }
  }
}

TEST(Rotation, OfTwoRangesIsTheNearOne) {
  const positional::Positions positions = positional::contiguous(length);
  const Tensor plain = prepared("rope")->rotation(positions, Type::f64).cosine;
  for (const char* scaling : {"self_extend", "rerope"}) {
    EXPECT_EQ(toy::distance(prepared("rope", {{"scaling", scaling}})->rotation(positions, Type::f64).cosine, plain), 0)
        << scaling;
  }
}

TEST(Rotation, SaysItsLayout) {
  const positional::Positions positions = positional::contiguous(3);
  for (const char* kind : {"rope", "xpos"}) {
    EXPECT_TRUE(prepared(kind)->rotation(positions, Type::f64).interleaved);
    EXPECT_FALSE(prepared(kind, {{"layout", "half"}})->rotation(positions, Type::f64).interleaved);
  }
}

TEST(Frequencies, AreThoseOfTheAngles) {
  for (const char* kind : {"rope", "xpos"}) {
    for (const char* scaling : {"none", "linear", "dynamic_ntk"}) {
      const auto scheme = prepared(kind, {{"scaling", scaling}});
      const std::vector<double> sines = scheme->rotation(positional::contiguous(length), Type::f64).sine.values();
      const std::vector<double> frequencies = scheme->frequencies(length);
      ASSERT_EQ(frequencies.size(), 4u);
      for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(std::sin(7 * frequencies[j]), sines[7 * 4 + j], 1e-15) << kind << scaling;
    }
  }
}

TEST(Frequencies, OfAGridAreThoseOfRowsThenOfColumns) {
  const auto scheme = prepared("axial_rope", {{"scaling", "dynamic_ntk"}});  // 4 by 4 trained, 6 by 6 asked
  const std::vector<double> sines = scheme->rotation(positional::contiguous(length), Type::f64).sine.values();
  const std::vector<double> frequencies = scheme->frequencies(length);
  ASSERT_EQ(frequencies.size(), 4u);
  for (std::size_t j = 0; j < 4; ++j) {
    const double place = j < 2 ? 2 : 3;  // token 15 is in row 2, column 3
    EXPECT_NEAR(std::sin(place * frequencies[j]), sines[15 * 4 + j], 1e-15) << j;
  }
}

TEST(Turning, OfAGridGoesByItsLongerSide) {
  const auto scheme = prepared("axial_rope", {{"grid", std::vector<std::int64_t>{2, 8}}});
  const auto trained_on = [&](Index tokens) { return scheme->turning({.width = 16, .heads = 2, .length = tokens})->trained; };
  EXPECT_EQ(trained_on(16), 8);
  EXPECT_EQ(trained_on(64), 16);
}

TEST(Slopes, AreThoseOfTheBias) {
  const auto scheme = prepared("alibi", {{"heads", std::int64_t{1}}});
  const std::vector<double> slopes = scheme->slopes().values(), bias = toy::dense_bias(*scheme, 5).values();
  ASSERT_EQ(slopes.size(), 2u);
  EXPECT_EQ(slopes, (std::vector<double>{1.0 / 256, 0}));
  for (std::size_t head = 0; head < 2; ++head) EXPECT_EQ(bias[head * 25 + 4 * 5 + 1], -3 * slopes[head]);
}

TEST(Showing, IsNothingWhereThereIsNothing) {
  const auto none = prepared("none");
  EXPECT_FALSE(none->rotation(positional::contiguous(3), Type::f64).defined());
  EXPECT_TRUE(none->frequencies(3).empty());
  EXPECT_FALSE(none->slopes().defined());
}

}  // namespace
}  // namespace ropewalk
