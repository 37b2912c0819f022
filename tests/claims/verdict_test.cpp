#include "experiments/claims/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "framework/core/random.hpp"

namespace ropewalk {
namespace {

using Values = std::vector<double>;

std::vector<ObservedPair> pairs(const Values& left, const Values& right) {
  std::vector<ObservedPair> result;
  for (std::size_t i = 0; i < left.size(); ++i) {
    result.push_back({Observation{Measured{left[i]}, ""}, Observation{Measured{right[i]}, ""}});
  }
  return result;
}

Finding judged(const std::string& compare, const std::vector<ObservedPair>& pairs) {
  Bootstrap bootstrap;
  return judge(parse_comparison("a " + compare + " b"), pairs, bootstrap);
}

Verdict verdict(const std::string& compare, const Values& left, const Values& right) {
  return judged(compare, pairs(left, right)).verdict;
}

TEST(Verdict, IsReproducedIfTheWholeIntervalIsOnTheRightSide) {
  const Values low{4.0, 5.0, 6.0}, high{4.5, 5.1, 6.9};
  for (const char* compare : {"<", "<="}) {
    EXPECT_EQ(verdict(compare, low, high), Verdict::reproduced);
    EXPECT_EQ(verdict(compare, high, low), Verdict::not_reproduced);
  }
  for (const char* compare : {">", ">="}) {
    EXPECT_EQ(verdict(compare, high, low), Verdict::reproduced);
    EXPECT_EQ(verdict(compare, low, high), Verdict::not_reproduced);
  }
}

TEST(Verdict, IsUndecidedIfTheIntervalIsOnBothSides) {
  const Finding finding = judged("<", pairs({4, 5, 6}, {4.5, 4.9, 6.5}));
  EXPECT_EQ(finding.verdict, Verdict::undecided);
  EXPECT_EQ(finding.why, "the interval [-0.5, +0.1] is on both sides");
  EXPECT_EQ(finding.pairs, 3u);
  EXPECT_DOUBLE_EQ(*finding.left, 5);
  EXPECT_NEAR(*finding.difference, -0.3, 1e-12);
}

TEST(Verdict, TiesFulfilWhatAllowsThem) {
  const Values same{4, 5, 6};
  EXPECT_EQ(verdict("<=", same, same), Verdict::reproduced);
  EXPECT_EQ(verdict(">=", same, same), Verdict::reproduced);
  EXPECT_EQ(verdict("<", same, same), Verdict::not_reproduced);
  EXPECT_EQ(verdict(">", same, same), Verdict::not_reproduced);
  // One of three is a tie.
  EXPECT_EQ(verdict("<=", {4, 5, 6}, {4, 6, 7}), Verdict::reproduced);
  EXPECT_EQ(verdict("<", {4, 5, 6}, {4, 6, 7}), Verdict::undecided);
  EXPECT_EQ(verdict("<", {4, 6, 7}, {4, 5, 6}), Verdict::not_reproduced);
  EXPECT_EQ(verdict("<=", {4, 6, 7}, {4, 5, 6}), Verdict::undecided);
}

TEST(Verdict, FewerThanThreePairsDecideNothing) {
  EXPECT_EQ(judged("<", pairs({1}, {2})).why, "1 pair, expected 3 or more");
  EXPECT_EQ(judged("<", pairs({1, 1}, {2, 2})).why, "2 pairs, expected 3 or more");
  EXPECT_EQ(judged("<", {}).why, "0 pairs, expected 3 or more");
  for (const std::size_t count : {0u, 1u, 2u}) {
    EXPECT_EQ(verdict("<", Values(count, 1), Values(count, 2)), Verdict::undecided);
  }
  EXPECT_EQ(verdict("<", Values(3, 1), Values(3, 2)), Verdict::reproduced);
}

TEST(Verdict, AMissingNumberIsNotLeftOut) {
  auto four = pairs({1, 1, 1, 1}, {2, 2, 2, 2});
  four[1].right = {{}, "diverged", "run-b"};
  four[2].left = {{}, "missing", "run-c"};
  four[3].left = {{}, "missing", "run-d"};
  const Finding finding = judged("<", four);
  EXPECT_EQ(finding.verdict, Verdict::undecided);
  EXPECT_EQ(finding.why, "diverged: run-b; missing: 2 runs");
  EXPECT_TRUE(finding.lacks_numbers);
  EXPECT_EQ(finding.pairs, 1u);
}

TEST(Verdict, SidesThatWereScoredOnOtherTextAreMarked) {
  auto three = pairs({1, 1, 1}, {2, 2, 2});
  for (ObservedPair& pair : three) pair.left.scored = pair.right.scored = 1000;
  EXPECT_FALSE(judged("<", three).other_text);
  three[1].right.scored = 1010;
  EXPECT_FALSE(judged("<", three).other_text) << "a ragged end";
  three[1].right.scored = 2000;
  EXPECT_TRUE(judged("<", three).other_text);
  EXPECT_EQ(judged("<", three).verdict, Verdict::reproduced);
  three[1].left.scored = std::nullopt;
  EXPECT_FALSE(judged("<", three).other_text);
}

TEST(Verdict, ANumberThatIsNotFiniteDecidesNothing) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Finding finding = judged("<", pairs({1, 1, 1, 1}, {2, 2, bad, 2}));
    EXPECT_EQ(finding.verdict, Verdict::undecided);
    EXPECT_EQ(finding.why, "not finite");
  }
}

Verdict bounded(const std::string& compare, bool left_at_least, bool right_at_least, double left, double right) {
  std::vector<ObservedPair> three = pairs(Values(3, left), Values(3, right));
  three[0].left.value->at_least = left_at_least;
  three[2].right.value->at_least = right_at_least;
  return judged(compare, three).verdict;
}

TEST(Verdict, BoundsDecideWhatTheyCan) {
  // 20 against at least 960, and the other way round.
  EXPECT_EQ(bounded("<", false, true, 20, 960), Verdict::reproduced);
  EXPECT_EQ(bounded(">", true, false, 960, 20), Verdict::reproduced);
  EXPECT_EQ(bounded("<", true, false, 960, 20), Verdict::not_reproduced);
  EXPECT_EQ(bounded(">", false, true, 20, 960), Verdict::not_reproduced);
  // At least 20 against 960, in either order, and both at least as much.
  EXPECT_EQ(bounded("<", true, false, 20, 960), Verdict::undecided);
  EXPECT_EQ(bounded(">", false, true, 960, 20), Verdict::undecided);
  EXPECT_EQ(bounded("<=", true, true, 960, 960), Verdict::undecided);
  EXPECT_EQ(bounded("<", true, true, 20, 960), Verdict::undecided);
  std::vector<ObservedPair> three = pairs({960, 960, 960}, {960, 960, 960});
  for (ObservedPair& pair : three) pair.left.value->at_least = pair.right.value->at_least = true;
  const Finding finding = judged("<=", three);
  EXPECT_EQ(finding.why, "the evaluated lengths end before");
  EXPECT_TRUE(finding.left_bound && finding.right_bound);
}

TEST(Verdict, PairsAreTighterThanTheirSidesOnCorrelatedSeeds) {
  // Seeds that make both sides better or worse by far more than they differ.
  Stream stream = Random(3).stream("test");
  Values left, right, crossed;
  for (int i = 0; i < 8; ++i) {
    const double of_seed = 10 * stream.uniform();
    left.push_back(of_seed + 0.1 * stream.uniform());
    right.push_back(of_seed + 0.3 + 0.1 * stream.uniform());
  }
  for (std::size_t i = 0; i < 8; ++i) crossed.push_back(right[(i + 3) % 8]);  // the same numbers, paired with others
  const Finding paired = judged("<", pairs(left, right)), unpaired = judged("<", pairs(left, crossed));
  EXPECT_EQ(paired.verdict, Verdict::reproduced);
  EXPECT_EQ(unpaired.verdict, Verdict::undecided);
  EXPECT_NEAR(*paired.difference, *unpaired.difference, 1e-12);
  EXPECT_LT(10 * (paired.interval->high - paired.interval->low), unpaired.interval->high - unpaired.interval->low);
}

TEST(Verdict, OfSeveralAllHaveToHold) {
  using enum Verdict;
  EXPECT_EQ(all_of({reproduced, reproduced}), reproduced);
  EXPECT_EQ(all_of({reproduced, undecided}), undecided);
  EXPECT_EQ(all_of({undecided, not_reproduced, reproduced}), not_reproduced);
  EXPECT_EQ(all_of({}), undecided);
}

}  // namespace
}  // namespace ropewalk
