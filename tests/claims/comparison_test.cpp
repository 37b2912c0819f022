#include "experiments/claims/comparison.hpp"

#include <gtest/gtest.h>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

std::string complaint(const std::string& text) {
  try {
    parse_comparison(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Comparison, HasTwoSides) {
  const Comparison one = parse_comparison("alibi at 2L <= t5 at L");
  EXPECT_EQ(one.text, "alibi at 2L <= t5 at L");
  EXPECT_EQ(one.compare, "<=");
  EXPECT_FALSE(one.strict());
  EXPECT_TRUE(one.upwards());
  EXPECT_EQ(one.left.term, (Term{"alibi", LengthTerm{"2L", 2, 0}}));
  EXPECT_EQ(one.right.term, (Term{"t5", LengthTerm{"L", 1, 0}}));
  EXPECT_EQ(one.right.factor, 1);
  EXPECT_EQ(one.terms().size(), 2u);
}

TEST(Comparison, KnowsItsDirection) {
  EXPECT_TRUE(parse_comparison("a > b").strict());
  EXPECT_FALSE(parse_comparison("a > b").upwards());
  EXPECT_FALSE(parse_comparison("a >= b").upwards());
  EXPECT_TRUE(parse_comparison("a < b").upwards());
}

TEST(Comparison, HasFactorsAndQuotients) {
  const Comparison one = parse_comparison("0.5*a at L / a at 6L>1.02 * long name at L+10 / b at 3L+7");
  EXPECT_EQ(one.left.factor, 0.5);
  EXPECT_EQ(one.left.divisor, (Term{"a", LengthTerm{"6L", 6, 0}}));
  EXPECT_EQ(one.right.factor, 1.02);
  EXPECT_EQ(one.right.term, (Term{"long name", LengthTerm{"L+10", 1, 10}}));
  EXPECT_EQ(one.right.divisor, (Term{"b", LengthTerm{"3L+7", 3, 7}}));
  EXPECT_EQ(one.terms().size(), 4u);
}

TEST(Comparison, LengthsAreCountedFromTheTrainedOne) {
  EXPECT_EQ(parse_length("L").of(64), 64);
  EXPECT_EQ(parse_length("30L").of(64), 1920);
  EXPECT_EQ(parse_length("L+200").of(64), 264);
  EXPECT_EQ(parse_length("2L+1").of(64), 129);
}

TEST(Comparison, SaysWhatItExpected) {
  EXPECT_EQ(
      complaint("alibi at 2L"),
      "expected two sides with one of <= >= < > between them, got 'alibi at 2L'; such as 'alibi at 2L <= 1.02 * alibi at L'");
  EXPECT_EQ(complaint("a = b").substr(0, 15), "expected two si");
  EXPECT_EQ(complaint("a < b < c").substr(0, 15), "expected two si");
  EXPECT_EQ(complaint("a =< b").substr(0, 15), "expected two si");
  EXPECT_EQ(complaint("a <= "), "expected the name of a series, got ''; such as 'alibi at 2L <= 1.02 * alibi at L'");
  EXPECT_EQ(complaint("x * a < b"), "expected a number > 0 before '*', got 'x'; such as 'alibi at 2L <= 1.02 * alibi at L'");
  EXPECT_EQ(complaint("-1 * a < b").substr(0, 37), "expected a number > 0 before '*', got");
  EXPECT_EQ(complaint("0 * a < b").substr(0, 37), "expected a number > 0 before '*', got");
  EXPECT_EQ(complaint("2 * 3 * a < b").substr(0, 24), "expected one '*' at most");
  EXPECT_EQ(complaint("a / b / c < d").substr(0, 42), "expected '[factor *] series [/ series]', g");
  EXPECT_EQ(complaint("a / 2 * b < d").substr(0, 37), "expected a number > 0 before '*', got");
  EXPECT_EQ(complaint("a at 2 < b at L"), "expected a length such as L, 2L or L+10, L being the trained one, got '2'");
  EXPECT_EQ(complaint("a at 0L < b at L").substr(0, 17), "expected a length");
  EXPECT_EQ(complaint("a at L-5 < b at L").substr(0, 17), "expected a length");
  EXPECT_EQ(complaint("a at 99999999999L < b at L").substr(0, 17), "expected a length");
}

}  // namespace
}  // namespace ropewalk
