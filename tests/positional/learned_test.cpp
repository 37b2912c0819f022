#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

using positional::Context;
using positional::contiguous;

constexpr Index rows = 4;
const Context context{.width = 2, .heads = 1, .length = rows};

std::unique_ptr<positional::Scheme> prepared(const std::string& beyond, std::int64_t max_length = 0) {
  auto scheme = toy::scheme("learned", {{"beyond", beyond}, {"max_length", max_length}});
  scheme->prepare(context, Random(1), Type::f64);
  return scheme;
}

Tensor table(positional::Scheme& scheme) { return *scheme.parameters()[0].tensor; }

/// What is added at these positions, [T, 2].
std::vector<double> added(const positional::Scheme& scheme, const positional::Positions& positions) {
  const Tensor tokens = Tensor::zeros({1, positions.length()}, Type::i32);
  return scheme.embed(Tensor::zeros({1, positions.length(), 2}, Type::f64), {tokens, positions, nullptr}).values();
}

std::string error_of(const positional::Scheme& scheme, Index length) {
  try {
    added(scheme, contiguous(length));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class LearnedBeyond : public testing::TestWithParam<const char*> {};

TEST_P(LearnedBeyond, MakesNoDifferenceWithinTheTable) {
  const auto scheme = prepared(GetParam());
  EXPECT_EQ(table(*scheme).shape(), (Shape{rows, 2}));
  EXPECT_EQ(added(*scheme, contiguous(rows)), table(*scheme).values());
  EXPECT_TRUE(scheme->reaches(rows));
  EXPECT_TRUE(scheme->complaints(context, {1, rows}).empty());
}

INSTANTIATE_TEST_SUITE_P(Settings, LearnedBeyond, testing::Values("error", "skip", "interpolate", "clamp"));

TEST(Learned, ByDefaultALongerLengthIsRefusedAndTheChoicesAreNamed) {
  const auto scheme = prepared("error");
  const auto found = scheme->complaints(context, {2, 9, 5});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].setting, "beyond");
  EXPECT_EQ(found[0].reason,
            "length 9 is beyond the table of 4 rows; choose what to do there: skip, interpolate or clamp, or raise max_length");
  EXPECT_EQ(error_of(*scheme, 5), "learned: position 4 is beyond a table of 4 rows");
}

TEST(Learned, SkipDeclinesLongerLengths) {
  const auto scheme = prepared("skip");
  EXPECT_TRUE(scheme->complaints(context, {9}).empty());
  EXPECT_FALSE(scheme->reaches(rows + 1));
  EXPECT_EQ(error_of(*scheme, 5), "learned: position 4 is beyond a table of 4 rows");
}

TEST(Learned, ClampRepeatsTheLastRow) {
  const auto scheme = prepared("clamp");
  EXPECT_TRUE(scheme->reaches(1000));
  std::vector<double> expected = table(*scheme).values();
  for (int i = 0; i < 3; ++i) expected.insert(expected.end(), {expected[6], expected[7]});
  EXPECT_EQ(added(*scheme, contiguous(rows + 3)), expected);
}

TEST(Learned, InterpolateStretchesTheTableBetweenItsEnds) {
  const auto scheme = prepared("interpolate");
  EXPECT_TRUE(scheme->reaches(1000));
  const std::vector<double> values = table(*scheme).values(), seen = added(*scheme, contiguous(7));  // a step of half a row
  for (std::size_t place = 0; place < 7; ++place) {
    for (std::size_t c = 0; c < 2; ++c) {
      const double below = values[place / 2 * 2 + c], above = values[(place + 1) / 2 * 2 + c];
      EXPECT_NEAR(seen[2 * place + c], (below + above) / 2, 1e-15) << "place " << place;
    }
  }
}

TEST(Learned, MaxLengthIsTheNumberOfRows) {
  const auto scheme = prepared("error", 6);
  EXPECT_EQ(table(*scheme).shape(), (Shape{6, 2}));
  EXPECT_TRUE(scheme->complaints(context, {6}).empty());
  EXPECT_EQ(scheme->complaints(context, {7}).size(), 1u);
}

TEST(Learned, ATableShorterThanTheTrainedLengthIsRefused) {
  const auto found = toy::scheme("learned", {{"max_length", std::int64_t{3}}, {"beyond", "clamp"}})->complaints(context, {4});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].setting, "max_length");
  EXPECT_EQ(found[0].reason, "a table of 3 rows is shorter than the trained length 4");
}

TEST(Learned, TheTableStartsFromSmallNormalNumbers) {
  auto scheme = toy::scheme("learned");
  scheme->prepare({.width = 64, .heads = 1, .length = 128}, Random(1), Type::f64);
  double squares = 0;
  for (double value : table(*scheme).values()) squares += value * value;
  EXPECT_NEAR(std::sqrt(squares / 8192), 0.02, 0.0008);
}

}  // namespace
}  // namespace ropewalk
