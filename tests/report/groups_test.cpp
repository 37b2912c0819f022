#include "experiments/report/groups.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace ropewalk {
namespace {

std::vector<ReportedRun> runs_with(const std::vector<Settings>& settings) {
  std::vector<ReportedRun> runs;
  for (const Settings& one : settings) runs.push_back({"", one, {}, ""});
  return runs;
}

std::vector<std::string> labels_of(const std::vector<Settings>& settings) {
  const std::vector<ReportedRun> runs = runs_with(settings);
  std::vector<std::string> labels;
  for (const Group& group : group_runs(runs)) labels.push_back(group.label);
  return labels;
}

using Labels = std::vector<std::string>;
const std::string kKind = "model.position.kind", kBase = "model.position.base", kBeyond = "model.position.beyond";

TEST(Groups, SeedsShareAGroup) {
  const std::vector<ReportedRun> runs =
      runs_with({{{"seed", "0"}, {kKind, "rope"}}, {{"seed", "1"}, {kKind, "rope"}}, {{kKind, "alibi"}}});
  const std::vector<Group> groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].runs.size(), 1u);
  EXPECT_EQ(groups[1].runs, (std::vector<const ReportedRun*>{&runs[0], &runs[1]}));
}

TEST(Groups, LabelsNameWhatDiffersAndSortNumbersBySize) {
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {kBase, "10000"}, {"model.layers", "2"}},
                       {{kKind, "rope"}, {kBase, "500"}, {"model.layers", "2"}},
                       {{kKind, "alibi"}, {"model.layers", "2"}}}),
            (Labels{"alibi", "rope, base 500", "rope, base 10000"}));
}

TEST(Groups, TheSchemeIsNamedEvenIfItIsTheSameEverywhere) {
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {"train.length", "64"}}, {{kKind, "rope"}, {"train.length", "128"}}}),
            (Labels{"rope, length 64", "rope, length 128"}));
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {"name", "study"}, {"seed", "0"}}, {{kKind, "rope"}, {"name", "study"}, {"seed", "1"}}}),
            (Labels{"rope"}));
}

TEST(Groups, ASchemesSettingIsComparedWithinTheScheme) {
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {kBase, "500"}}, {{kKind, "alibi"}}, {{kKind, "sinusoidal"}, {kBase, "10000"}}}),
            (Labels{"alibi", "rope", "sinusoidal"}));
}

TEST(Groups, WhatLearnedDoesBeyondItsTableIsAlwaysNamed) {
  EXPECT_EQ(labels_of({{{kKind, "learned"}, {kBeyond, "clamp"}}}), (Labels{"learned, beyond clamp"}));
  EXPECT_EQ(labels_of({{{kKind, "learned"}, {kBeyond, "clamp"}}, {{kKind, "alibi"}}}),
            (Labels{"alibi", "learned, beyond clamp"}));
}

TEST(Groups, OtherKindsAreNamedByWhatTheyAreOf) {
  const std::string schedule = "train.schedule.kind", floor = "train.schedule.floor";
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {schedule, "cosine"}, {floor, "0.1"}},
                       {{kKind, "rope"}, {schedule, "cosine"}, {floor, "0.0"}},
                       {{kKind, "rope"}, {schedule, "constant"}}}),
            (Labels{"rope, schedule constant", "rope, schedule cosine, floor 0", "rope, schedule cosine, floor 0.1"}));
}

TEST(Groups, HowRunsAreLookedAtIsNamedOnlyIfNothingElseTellsThemApart) {
  const Settings short_one{{kKind, "rope"}, {"train.length", "64"}, {"train.batch", "8"}, {"evaluate.lengths", "[64, 128]"}};
  const Settings long_one{{kKind, "rope"}, {"train.length", "128"}, {"train.batch", "4"}, {"evaluate.lengths", "[128, 256]"}};
  EXPECT_EQ(labels_of({short_one, long_one}), (Labels{"rope, length 64", "rope, length 128"}));
  Settings same_length = short_one;
  same_length["train.batch"] = "4";
  EXPECT_EQ(labels_of({short_one, long_one, same_length}).size(), 3u);
  EXPECT_EQ(labels_of({short_one, same_length}), (Labels{"rope, batch 4", "rope, batch 8"}));
}

TEST(Groups, NumbersAreWrittenShort) {
  const auto labels = [](const std::string& a, const std::string& b) {
    return labels_of({{{kKind, "rope"}, {kBase, a}}, {{kKind, "rope"}, {kBase, b}}});
  };
  EXPECT_EQ(labels("100.0", "1000000.0"), (Labels{"rope, base 100", "rope, base 1000000"}));
  EXPECT_EQ(labels("1.0e-08", "0.002"), (Labels{"rope, base 1e-08", "rope, base 0.002"}));
  EXPECT_EQ(labels("12345678901", "file.txt"), (Labels{"rope, base 12345678901", "rope, base file.txt"}));
}

TEST(Groups, ASettingThatOnlySomeHaveTellsThemApart) {
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {kBase, "500"}}, {{kKind, "rope"}}}), (Labels{"rope", "rope, base 500"}));
}

TEST(Groups, NamesGrowUntilTheyAreUnique) {
  EXPECT_EQ(labels_of({{{"model.position.base", "1"}, {"train.other.base", "3"}, {"base", "1"}},
                       {{"model.position.base", "2"}, {"train.other.base", "4"}, {"base", "2"}}}),
            (Labels{"base 1, position.base 1, other.base 3", "base 2, position.base 2, other.base 4"}));
}

TEST(Groups, ALaterStageIsNamedByItsNumber) {
  const std::string length = "train.stages[0].length", scaling = "train.stages[0].position.scaling.kind",
                    factor = "train.stages[0].position.scaling.factor";
  EXPECT_EQ(labels_of({{{kKind, "rope"}},
                       {{kKind, "rope"}, {length, "256"}},
                       {{kKind, "rope"}, {length, "256"}, {"train.stages[0].steps", "5"}},
                       {{kKind, "rope"}, {length, "256"}, {scaling, "linear"}, {factor, "4.0"}},
                       {{kKind, "rope"}, {length, "256"}, {scaling, "linear"}, {factor, "2.0"}}}),
            (Labels{"rope", "rope, stage 2 length 256", "rope, stage 2 length 256, stage 2 steps 5",
                    "rope, stage 2 length 256, stage 2 scaling linear, stage 2 factor 2",
                    "rope, stage 2 length 256, stage 2 scaling linear, stage 2 factor 4"}));
  EXPECT_EQ(labels_of({{{kKind, "rope"}}, {{kKind, "rope"}, {"train.stages[0].steps", "5"}, {"train.stages[0].batch", "2"}}}),
            (Labels{"rope", "rope, stage 2 batch 2, stage 2 steps 5"}));
  EXPECT_EQ(labels_of({{{kKind, "none"}},
                       {{kKind, "none"}, {"train.stages[0].position.kind", "rope"}, {"train.stages[0].position.base", "1e4"}}}),
            (Labels{"none", "none, stage 2 position rope"}));
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {length, "256"}, {"train.stages[0].rate", "1"}}, {{kKind, "rope"}, {length, "256"}}}),
            (Labels{"rope", "rope, stage 2 rate 1"}))
      << "what all stages change needs no word";
  ReportedRun run{"", {{"train.length", "64"}, {length, "256"}, {"train.stages[1].steps", "5"}}, {}, ""};
  EXPECT_EQ(run.trained_length(), 256);
}

TEST(Groups, HybridsAreNamedByTheirParts) {
  const auto hybrid = [](const std::string& first, const std::string& base) {
    return Settings{{kKind, "sum"},
                    {"model.position.parts[0].kind", first},
                    {"model.position.parts[0].base", base},
                    {"model.position.parts[1].kind", "alibi"}};
  };
  EXPECT_EQ(labels_of({hybrid("rope", "500.0"), hybrid("rope", "10000.0"), hybrid("sinusoidal", "10000.0")}),
            (Labels{"rope + alibi, base 500", "rope + alibi, base 10000", "sinusoidal + alibi"}));
}

TEST(Groups, BySomeSettingsAlone) {
  const std::string layers = "model.layers";
  const std::vector<ReportedRun> runs = runs_with({{{kKind, "rope"}, {kBase, "9"}, {layers, "1"}},
                                                   {{kKind, "rope"}, {kBase, "8"}, {layers, "1"}},
                                                   {{kKind, "rope"}, {kBase, "9"}, {layers, "2"}},
                                                   {{kKind, "alibi"}, {layers, "1"}}});
  const auto labels_by = [&](const std::vector<std::string>& paths) {
    Labels labels;
    for (const Group& group : group_runs(runs, paths)) labels.push_back(fmt::format("{}: {}", group.label, group.runs.size()));
    return labels;
  };
  EXPECT_EQ(labels_by({kKind}), (Labels{"alibi: 1", "rope: 3"}));
  EXPECT_EQ(labels_by({layers}), (Labels{"layers 1: 3", "layers 2: 1"})) << "the scheme is named only if it is asked for";
  EXPECT_EQ(labels_by({layers, kBase}),
            (Labels{"layers 1: 1", "layers 1, base 8: 1", "layers 1, base 9: 1", "layers 2, base 9: 1"}));
}

TEST(Groups, PairsAgreeInTheSeedAndInWhatElseDiffers) {
  const std::string layers = "model.layers";
  const std::vector<ReportedRun> runs =
      runs_with({{{kKind, "rope"}, {kBase, "9"}, {layers, "1"}}, {{kKind, "alibi"}, {layers, "2"}}});
  EXPECT_EQ(pairing_settings(runs, {}), Labels{"seed"});
  EXPECT_EQ(pairing_settings(runs, {kKind}), (Labels{"seed", layers})) << "the base is there under rope alone";
  EXPECT_EQ(pairing_settings(runs, {layers}), (Labels{"seed", kBase, kKind}));
}

TEST(Groups, DifferingSettings) {
  const Settings rope{{kKind, "rope"}, {kBase, "500"}, {"seed", "0"}}, alibi{{kKind, "alibi"}, {"seed", "1"}};
  EXPECT_EQ(differing_settings({&rope, &alibi}), (Labels{kBase, kKind}));
  EXPECT_EQ(differing_settings({&rope}), Labels{});
}

}  // namespace
}  // namespace ropewalk
