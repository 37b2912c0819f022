#include "experiments/claims/judgement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "experiments/claims/results_page.hpp"
#include "experiments/claims/tables.hpp"
#include "tests/claims/toy_study.hpp"

namespace ropewalk {
namespace {

constexpr const char* kSeries = R"(series:
  none: {where: {model.position.kind: none}}
  alibi: {where: {model.position.kind: alibi}}
each: {train.length: [16, 32]}
)";

/// `alibi` keeps its perplexity, 2 + the seed's share; that of `none` is as many times larger as the length is.
double loss_of(const std::string& scheme, std::int64_t seed, std::int64_t trained, std::int64_t length) {
  const double at_home = std::log(2 + 0.1 * static_cast<double>(seed));
  return scheme == "alibi" ? at_home : at_home + std::log(static_cast<double>(length) / static_cast<double>(trained));
}

std::vector<Verdict> verdicts(const Judgement& judgement) {
  std::vector<Verdict> result;
  for (const JudgedComparison& one : judgement.predicate) result.push_back(one.finding.verdict);
  return result;
}

TEST(Judgement, EveryComparisonIsJudgedInEveryCase) {
  const ToyStudy toy;
  toy.write_runs(loss_of);
  const Judged judged(toy, std::string(kSeries) + R"(predicate:
  - alibi at 2L < none at 2L
  - none at 4L >= 3.9 * alibi at 4L
tried:
  - alibi at 4L > 1.5 * alibi at L
)");
  using enum Verdict;
  EXPECT_EQ(judged.judgement.verdict, reproduced);
  EXPECT_EQ(verdicts(judged.judgement), (std::vector{reproduced, reproduced, reproduced, reproduced}));
  EXPECT_EQ(judged.judgement.predicate[0].case_name, "train.length=16");
  EXPECT_EQ(judged.judgement.predicate[1].case_name, "train.length=32");
  const Finding& finding = judged.judgement.predicate[2].finding;
  EXPECT_NEAR(*finding.left, 4 * 2.1, 1e-12);
  EXPECT_NEAR(*finding.right, 3.9 * 2.1, 1e-12);
  EXPECT_NEAR(finding.interval->low, 0.2, 1e-12);
  EXPECT_NEAR(finding.interval->high, 0.22, 1e-12);
  EXPECT_EQ(judged.judgement.tried[0].finding.verdict, not_reproduced);  // and decides nothing
  EXPECT_EQ(judged.judgement.runs, 12u);
  EXPECT_EQ(judged.judgement.done, 12u);
  EXPECT_NEAR(judged.judgement.training_seconds, 12 * 1.5, 1e-12);
}

TEST(Judgement, OneCaseThatFailsIsEnough) {
  const ToyStudy toy;
  toy.write_runs([](const auto& scheme, auto seed, auto trained, auto length) {
    return loss_of(scheme, seed, trained, length) + (trained == 32 && length > 32 ? 1.0 : 0.0);
  });
  const Judged judged(toy, std::string(kSeries) + "predicate: [alibi at 2L <= alibi at L, none at L <= none at 2L]\n");
  using enum Verdict;
  EXPECT_EQ(verdicts(judged.judgement), (std::vector{reproduced, not_reproduced, reproduced, reproduced}));
  EXPECT_EQ(judged.judgement.verdict, not_reproduced);
}

TEST(Judgement, ProtocolsMetricsAndQuotientsAreWhatTheySay) {
  const ToyStudy toy;
  toy.write_runs(loss_of);
  const Judged judged(toy, R"(series:
  sliding: {where: {model.position.kind: none, train.length: 16}, protocol: sliding, metric: loss}
  alibi: {where: {model.position.kind: alibi, train.length: 16}, metric: loss}
  gained: {where: {model.position.kind: none, train.length: 16}, metric: tokens_gained}
  kept: {where: {model.position.kind: alibi, train.length: 16}, metric: tokens_gained}
  steep: {where: {model.position.kind: none, train.length: 16}, metric: steepest_rise}
  fast: {where: {model.position.kind: none, train.length: 16}, metric: tokens_per_second}
  large: {where: {model.position.kind: none, train.length: 16}, metric: peak_bytes}
predicate:
  - 2 * sliding at L >= alibi at L
  - sliding at 2L / sliding at L > alibi at 2L / alibi at L
  - gained < kept
  - steep > 0.5 * steep
  - fast > 0.5 * fast
  - large > 0.5 * large
)");
  const auto& found = judged.judgement.predicate;
  EXPECT_NEAR(*found[0].finding.difference, 0, 1e-12);
  double quotients = 0;
  for (const double at_home : {2.0, 2.1, 2.2}) quotients += std::log(2 * at_home) / std::log(at_home) / 3;
  EXPECT_NEAR(*found[1].finding.left, quotients, 1e-12);
  EXPECT_NEAR(*found[1].finding.right, 1, 1e-12);
  EXPECT_TRUE(found[2].finding.right_bound);
  EXPECT_FALSE(found[2].finding.left_bound);
  EXPECT_EQ(*found[2].finding.right, 48);  // to the end of what was evaluated
  EXPECT_NEAR(*found[3].finding.left, std::log(2.0), 1e-12);
  EXPECT_NEAR(*found[4].finding.left, 400, 1e-12);  // 200 tokens in half a second
  EXPECT_NEAR(*found[5].finding.left, 2000, 1e-12);
}

TEST(Judgement, WhatIsMissingLeavesItUndecided) {
  const std::string claim = std::string(kSeries) + "predicate: [alibi at 2L < none at 2L]\n";
  const ToyStudy nothing;
  EXPECT_EQ(Judged(nothing, claim).judgement.predicate[0].finding.why, "missing: 6 runs");
  EXPECT_EQ(Judged(nothing, claim).judgement.done, 0u);

  const ToyStudy some;
  some.write_runs(loss_of, [](const auto& scheme, auto seed) { return scheme == "none" && seed == 1 ? "" : "done"; });
  EXPECT_EQ(Judged(some, claim).judgement.verdict, Verdict::undecided);
  EXPECT_EQ(Judged(some, claim).judgement.predicate[0].finding.pairs, 2u);

  const ToyStudy under_way;
  under_way.write_runs(loss_of, [](const auto&, auto seed) { return seed == 2 ? "interrupted" : "done"; });
  EXPECT_EQ(Judged(under_way, claim).judgement.predicate[0].finding.why, "not over: 2 runs");
}

TEST(Judgement, ARunThatDivergedIsNamed) {
  const ToyStudy toy;
  toy.write_runs(loss_of, [](const auto& scheme, auto seed) { return scheme == "none" && seed == 1 ? "diverged" : "done"; });
  const Judged judged(toy, std::string(kSeries) + "predicate: [alibi at 2L < none at 2L]\n");
  EXPECT_EQ(judged.judgement.verdict, Verdict::undecided);
  const std::string& why = judged.judgement.predicate[0].finding.why;
  EXPECT_TRUE(why.starts_with("diverged: position-none-seed-1-")) << why;
}

TEST(Judgement, ALengthWithoutANumberIsNamed) {
  const ToyStudy toy;
  toy.write_runs([](const auto& scheme, auto seed, auto trained, auto length) {
    return scheme == "none" && seed == 0 && length == 2 * trained ? std::numeric_limits<double>::quiet_NaN() : 1.0;
  });
  const Judged judged(toy, std::string(kSeries) + "predicate: [alibi at 2L <= none at 2L, alibi at 4L <= none at 4L]\n");
  const std::string& why = judged.judgement.predicate[0].finding.why;
  EXPECT_TRUE(why.starts_with("no perplexity at 32: position-none-seed-0-")) << why;
  EXPECT_EQ(judged.judgement.predicate[2].finding.verdict, Verdict::reproduced);
}

TEST(Judgement, TheTableHasEverySeriesInEveryCase) {
  const ToyStudy toy;
  toy.write_runs(loss_of, [](const auto& scheme, auto seed) { return scheme == "none" && seed == 2 ? "" : "done"; });
  const Judged judged(toy, std::string(kSeries) + "predicate: [alibi at L <= none at L]\ntable: [L, 4L]\n");
  const auto rows = measured_rows(judged.judgement);
  EXPECT_EQ(rows[0], (Row{"", "L", "4L"}));
  EXPECT_EQ(rows[1], (Row{"none, train.length=16", "2.05 [2.00, 2.10] (2 of 3)", "8.20 [8.00, 8.40] (2 of 3)"}));
  EXPECT_EQ(rows[4], (Row{"alibi, train.length=32", "2.10 [2.00, 2.20]", "2.10 [2.00, 2.20]"}));
}

TEST(Tables, DifferencesHaveTheDigitsThatTheirSignNeeds) {
  const Comparison comparison = parse_comparison("a < b");
  const auto cell = [&](Finding finding) {
    finding.verdict = Verdict::reproduced;
    return comparison_rows({{&comparison, "", finding}})[1][3];
  };
  Finding finding;
  finding.difference = -0.5;
  finding.interval = Interval{-0.75, -0.0004};
  EXPECT_EQ(cell(finding), "-0.5000 [-0.7500, -0.0004]");
  finding.interval = Interval{-0.75, 0};
  EXPECT_EQ(cell(finding), "-0.500 [-0.750, 0.000]");
  finding.left_bound = true;
  EXPECT_EQ(cell(finding), "≥-0.500");
  finding.right_bound = true;
  EXPECT_EQ(cell(finding), "-");
  finding.left_bound = false;
  EXPECT_EQ(cell(finding), "≤-0.500");
}

TEST(Tables, SeriesSayWhatTheyAre) {
  const ToyStudy toy;
  const Judged judged(toy, R"(series:
  fixed: {where: {model.position.kind: alibi, train.length: 16}}
  gained: {where: {model.position.kind: none, train.length: 16}, metric: tokens_gained, protocol: sliding}
predicate: [fixed at L < fixed at 2L, gained > 0.5 * gained]
)");
  const auto rows = series_rows(judged.claim);
  EXPECT_EQ(rows[0], (Row{"series", "runs of the study", "measured"}));
  EXPECT_EQ(rows[1], (Row{"fixed", "model.position.kind=alibi, train.length=16", "perplexity, nonoverlapping"}));
  EXPECT_EQ(rows[2], (Row{"gained", "model.position.kind=none, train.length=16", "tokens_gained (tokens), sliding"}));
  EXPECT_EQ(held(judged.judgement), "0 of 2");
  EXPECT_EQ(count_of_verdicts({judged.judgement}), "0 reproduced, 0 not reproduced, 1 undecided, of which 1 for lack of runs");
}

TEST(Judgement, TheSameRunsGiveTheSamePage) {
  const ToyStudy toy;
  toy.write_runs(loss_of);
  const std::string lines = std::string(kSeries) + R"(predicate: [alibi at L < none at L]
note: They are the same.
figure: scripts/plot extrapolation results/toy --output figures/toy
)";
  const auto page = [&] {
    Judged judged(toy, lines);
    return results_page({judged.judgement}, {{&judged.claim, &judged.study}}, judged.evidence, {"all", "pages/RESULTS.md"});
  };
  const std::string first = page();
  EXPECT_EQ(first, page());
  EXPECT_NE(first.find("### claim: not reproduced"), std::string::npos);
  EXPECT_NE(first.find("Note: They are the same."), std::string::npos);
  EXPECT_NE(first.find("| alibi | 1.5 | 2.5 |"), std::string::npos);
  EXPECT_NE(first.find("(../figures/toy.png)"), std::string::npos);
  EXPECT_NE(first.find("| alibi at L \\< none at L | train.length=16 | 2.100 | 2.100 | 0.000"), std::string::npos) << first;
}

TEST(Check, WhatTheStudyDoesNotHaveIsComplainedOf) {
  const ToyStudy toy;
  EXPECT_EQ(complaints_of(toy, std::string(kSeries) + "predicate: [alibi at 2L <= none at 2L]\n"), "");
  EXPECT_EQ(
      complaints_of(toy, R"(series:
  a: {where: {model.position.kind: rope}}
  b: {where: {model.position.base: 5}}
  c: {where: {model.position.kind: none}}
  d: {where: {model.position.kind: none, train.length: 16}, protocol: fixed_target}
  e: {where: {model.position.kind: none, train.length: 16}}
  f: {where: {model.position.kind: none, train.length: 16}, stage: 2}
predicate: [a at L < b at L, c at L < d at L, e at 3L < f at L]
)"),
      "claim.yaml:7:3: series.a: expected runs of study.yaml with model.position.kind=rope, 1 stage, got none; its "
      "model.position.kind: none, alibi; its stages: 1\n"
      "claim.yaml:8:3: series.b: expected a setting of the runs of study.yaml, got model.position.base; did you mean "
      "model.position.heads?\n"
      "claim.yaml:9:3: series.c: expected one run of each seed, got "
      "position-none-seed-0-layers-1-heads-1-width-8-hidden-8-length-16-2e35bb6054 and "
      "position-none-seed-0-layers-1-heads-1-width-8-hidden-8-length-32-22f2bc34a9 of seed=0; say more in where, first or stage\n"
      "claim.yaml:10:3: series.d.protocol: expected one of nonoverlapping, sliding, got fixed_target\n"
      "claim.yaml:12:3: series.f: expected runs of study.yaml with model.position.kind=none, train.length=16, 2 "
      "stages, "
      "got none; its model.position.kind: none, alibi; its train.length: 16, 32; its stages: 1\n"
      "claim.yaml:13:47: predicate[2]: e at 3L: expected one of the evaluated lengths 16, 32, 64, got 48");
}

}  // namespace
}  // namespace ropewalk
