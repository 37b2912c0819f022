// Lists, random points, exclusions, and taking away what is inherited.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/config/plans.hpp"

namespace ropewalk::config {
namespace {

namespace fs = std::filesystem;

TEST(SweepList, EachElementIsAPoint) {
  const Plan plan =
      plan_of("sweep: {list: [{}, {train.steps: 300, model.position: {kind: rope}}, {model: {width: 32, heads: 2}}]}");
  ASSERT_EQ(plan.runs.size(), 3u);
  EXPECT_TRUE(plan.runs[0].axes.empty());
  EXPECT_EQ(runs_of(plan), "train.steps 300, model.position rope\nmodel width=32 heads=2\n");
  EXPECT_EQ(plan.runs[1].settings.train.steps, 300);
  EXPECT_EQ(plan.runs[1].settings.model.position.kind(), "rope");
  EXPECT_EQ(plan.runs[2].settings.model.width, 32);
  EXPECT_EQ(plan.runs[2].settings.model.layers, 2);
}

TEST(SweepList, MultipliesWithWhatStandsBesideIt) {
  EXPECT_EQ(runs_of(plan_of("sweep: {seeds: 2, list: [{train.steps: 300}, {train.batch: 8}], grid: {model.layers: [1, 2]}}")),
            "model.layers 1, train.steps 300, seed 0\n"
            "model.layers 1, train.steps 300, seed 1\n"
            "model.layers 1, train.batch 8, seed 0\n"
            "model.layers 1, train.batch 8, seed 1\n"
            "model.layers 2, train.steps 300, seed 0\n"
            "model.layers 2, train.steps 300, seed 1\n"
            "model.layers 2, train.batch 8, seed 0\n"
            "model.layers 2, train.batch 8, seed 1\n");
}

TEST(SweepList, AnElementMayBeASweep) {
  EXPECT_EQ(runs_of(plan_of("sweep:\n"
                            "  list:\n"
                            "    - {model.position: {kind: alibi}}\n"
                            "    - model.position: {kind: rope}\n"
                            "      grid: {model.position.base: [500, 1000]}\n"
                            "      list: [{train.batch: 8}, {seeds: [3, 4]}]\n")),
            "model.position alibi\n"
            "model.position rope, model.position.base 500, train.batch 8\n"
            "model.position rope, model.position.base 500, seed 3\n"
            "model.position rope, model.position.base 500, seed 4\n"
            "model.position rope, model.position.base 1000, train.batch 8\n"
            "model.position rope, model.position.base 1000, seed 3\n"
            "model.position rope, model.position.base 1000, seed 4\n");
}

TEST(SweepList, TheOrderOfKeysChangesNoRun) {
  std::vector<std::string> one =
      ids_of(plan_of("sweep: {grid: {train.steps: [200, 300], model.layers: [1, 2]}, seeds: 2,\n"
                     "        list: [{train.batch: 8, model.heads: 2}, {train.batch: 16}]}"));
  std::vector<std::string> other =
      ids_of(plan_of("sweep: {list: [{train.batch: 16}, {model.heads: 2, train.batch: 8}],\n"
                     "        seeds: 2, grid: {model.layers: [1, 2], train.steps: [200, 300]}}"));
  ASSERT_EQ(one.size(), 16u);
  EXPECT_NE(one, other);
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  EXPECT_EQ(one, other);
}

TEST(SweepList, RefusesWhatIsNoPoint) {
  EXPECT_EQ(errors_of("sweep: {list: {train.steps: 1}}"),
            "c.yaml:1:15: sweep.list: expected a list of points, got a map; did you mean [{train.steps: 1}]?");
  EXPECT_EQ(errors_of("sweep: {list: []}"), "c.yaml:1:15: sweep.list: expected at least one point, got an empty list");
  EXPECT_EQ(
      errors_of("sweep: {list: [3, {gird: {train.steps: [1]}}, {name: x}, {list: {}}]}"),
      "c.yaml:1:16: sweep.list[0]: expected settings and their values, got 3\n"
      "c.yaml:1:20: sweep.list[1].gird: expected a setting or a key of a sweep (grid, zip, list, random, seeds, exclude), got "
      "gird; did you mean grid?\n"
      "c.yaml:1:48: sweep.list[2].name: expected a setting that changes what a run computes, got name\n"
      "c.yaml:1:65: sweep.list[3].list: expected a list of points, got an empty map; did you mean [{}]?");
  EXPECT_EQ(errors_of("sweep: {list: [{train.steps: 300, grid: {train.steps: [400, 500]}}]}"),
            "c.yaml:1:42: sweep: expected each setting on one axis, got train.steps again, first given at c.yaml:1:17");
  EXPECT_EQ(errors_of("sweep: {list: [{train.steps: none}]}"), "c.yaml:1:30: train.steps: expected an integer >= 1, got none");
}

TEST(SweepList, SetReachesElementsAndWhatIsNested) {
  const std::string text =
      "sweep: {list: [{train.steps: 300}, {'train.optimizer.betas[0]': 0.5, grid: {train.batch: [8, 16]}}]}\n"
      "train: {optimizer: {betas: [0.9, 0.98]}}";
  EXPECT_EQ(runs_of(plan_of(text, {"sweep.list[0].train.steps=400", "sweep.list[0].model.position.kind=rope",
                                   "sweep.list[1].train.optimizer.betas[0]=0.6", "sweep.list[1].grid.train.batch=[32]",
                                   "sweep.list[1].grid.train.batch[0]=64"})),
            "train.steps 400, model.position.kind rope\ntrain.optimizer.betas[0] 0.6, train.batch 64\n");
  EXPECT_EQ(errors_of(text, {"train.steps=5"}),
            "--set train.steps=5: train.steps: expected no value, since the sweep at c.yaml:1:17 varies it, got 5; give "
            "sweep.list[0].train.steps instead\n"
            "c.yaml:2:8: train.schedule.warmup: expected at most train.steps 5 (set both together), got 100");
}

TEST(Sweep, RefusesTooManyRunsInsideANestBeforeTheyAreMade) {
  std::string values = "1";
  for (int i = 2; i <= 1000; ++i) values += ", " + std::to_string(i);
  const std::string inner = "{grid: {train.steps: [" + values + "], train.batch: [" + values + "], seed: [" + values + "]}}";
  const auto before = std::chrono::steady_clock::now();
  const std::string errors = errors_of("sweep: {list: [{train.clip: 2}, " + inner + "]}");
  EXPECT_NE(errors.find(": sweep: expected at most 100000 runs, got more"), std::string::npos) << errors;
  std::string elements = "{seeds: 9000}";
  for (int i = 1; i < 1000; ++i) elements += ", {train.steps: " + std::to_string(100 + i) + ", seeds: 9000}";
  EXPECT_EQ(errors_of("sweep: {list: [" + elements + "]}"), "c.yaml:1:15: sweep.list: expected at most 100000 runs, got more");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

const std::string random_axes =
    "axes: {train.optimizer.rate: {log: [1e-4, 1e-2]}, model.dropout: {range: [0, 0.3]}, train.steps: {range: [100, 1000]}, "
    "model.width: {choice: [32, 64]}}";

TEST(SweepRandom, DrawsTheSamePointsEverywhere) {
  EXPECT_EQ(runs_of(plan_of("sweep: {random: {count: 4, " + random_axes + "}}")),
            "train.optimizer.rate 0.001039573457, model.dropout 0.09225415927, train.steps 610, model.width 32\n"
            "train.optimizer.rate 0.0006424104014, model.dropout 0.08301057319, train.steps 909, model.width 32\n"
            "train.optimizer.rate 0.0002651705143, model.dropout 0.2343708251, train.steps 630, model.width 64\n"
            "train.optimizer.rate 0.00128527025, model.dropout 0.2521197609, train.steps 567, model.width 32\n");
}

TEST(SweepRandom, ALargerCountOrAnotherAxisMovesNoValue) {
  const std::string four = runs_of(plan_of("sweep: {random: {count: 4, " + random_axes + "}}"));
  const std::string forty = runs_of(plan_of("sweep: {random: {count: 40, " + random_axes + "}}"));
  EXPECT_EQ(forty.substr(0, four.size()), four);
  const Plan alone = plan_of("sweep: {random: {count: 40, axes: {model.dropout: {range: [0, 0.3]}}}}");
  const Plan beside = plan_of("sweep: {random: {count: 40, " + random_axes + "}}");
  ASSERT_EQ(alone.runs.size(), 40u);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(alone.runs[i].settings.model.dropout, beside.runs[i].settings.model.dropout);
}

TEST(SweepRandom, ItsSeedIsItsOwn) {
  const std::string text = "sweep: {random: {count: 8, axes: {model.dropout: {range: [0, 0.3]}}, seed: ";
  EXPECT_EQ(runs_of(plan_of(text + "0}}")), runs_of(plan_of("seed: 7\n" + text + "0}}")));
  EXPECT_NE(runs_of(plan_of(text + "0}}")), runs_of(plan_of(text + "1}}")));
}

TEST(SweepRandom, IntegersReachBothEndsAndReadBack) {
  const Plan plan = plan_of(
      "sweep: {random: {count: 200, axes: {model.layers: {range: [2, 4]}, model.heads: {choice: [1, 2, 4]}, "
      "train.steps: {log: [100, 102]}}}, seeds: [1]}");
  std::vector<std::int64_t> layers, steps, heads;
  for (const RunConfig& run : plan.runs) {
    layers.push_back(run.settings.model.layers);
    heads.push_back(run.settings.model.heads);
    steps.push_back(run.settings.train.steps);
  }
  for (std::int64_t value : {2, 3, 4}) EXPECT_GT(std::count(layers.begin(), layers.end(), value), 0) << value;
  for (std::int64_t value : {1, 2, 4}) EXPECT_GT(std::count(heads.begin(), heads.end(), value), 0) << value;
  for (std::int64_t value : {100, 101, 102}) EXPECT_GT(std::count(steps.begin(), steps.end(), value), 0) << value;
  EXPECT_EQ(*std::min_element(layers.begin(), layers.end()), 2);
  EXPECT_EQ(*std::max_element(layers.begin(), layers.end()), 4);
  EXPECT_EQ(*std::min_element(steps.begin(), steps.end()), 100);
  EXPECT_EQ(*std::max_element(steps.begin(), steps.end()), 102);
}

TEST(SweepRandom, IsUniformInTheLogarithm) {
  int below = 0;
  const Plan plan = plan_of("sweep: {random: {count: 2000, axes: {train.optimizer.rate: {log: [1e-4, 1e-2]}}}}");
  ASSERT_EQ(plan.runs.size(), 2000u);
  for (const RunConfig& run : plan.runs) {
    const double rate = run.settings.train.optimizer->rate();
    EXPECT_GE(rate, 1e-4);
    EXPECT_LE(rate, 1e-2);
    below += rate < 1e-3;
    EXPECT_LE(run.axes[0].value.size(), 15u) << run.axes[0].value;
  }
  EXPECT_NEAR(below, 1000, 90);  // four standard deviations
}

TEST(SweepRandom, KeepsNeighboursApartInANarrowRange) {
  const Plan plan = plan_of(
      "sweep: {random: {count: 50, axes: {model.position.base: {range: [10000, 10000.01]}}}}\n"
      "model: {position: {kind: rope}}");
  EXPECT_EQ(plan.runs.size(), 50u);
}

TEST(SweepRandom, RefusesWhatCannotBeDrawn) {
  EXPECT_EQ(errors_of("sweep: {random: {}}"),
            "c.yaml:1:17: sweep.random.count: expected an integer in [1, 100000], got nothing\n"
            "c.yaml:1:17: sweep.random.axes: expected settings and what to draw them from, such as {train.steps: {range: [100, "
            "1000]}}, got nothing");
  const std::string axes = "sweep: {random: {count: 2, axes: {";
  EXPECT_EQ(errors_of(axes + "train.step: {range: [1, 2]}}}}"),
            "c.yaml:1:35: sweep.random.axes.train.step: expected a known setting, got train.step; did you mean train.steps?");
  EXPECT_EQ(errors_of(axes + "train.steps: [1, 2]}}}"),
            "c.yaml:1:48: sweep.random.axes.train.steps: expected one of {range: [low, high]}, {log: [low, high]}, {choice: "
            "[values]}, got a list; did you mean {choice: [1, 2]}?");
  EXPECT_EQ(errors_of(axes + "train.steps: {range: [1, 2], log: [1, 2]}}}}"),
            "c.yaml:1:48: sweep.random.axes.train.steps: expected one of {range: [low, high]}, {log: [low, high]}, {choice: "
            "[values]}, got {range: [1, 2], log: [1, 2]}");
  EXPECT_EQ(errors_of(axes + "train.steps: {range: [2, 1]}}}}"),
            "c.yaml:1:56: sweep.random.axes.train.steps.range: expected low < high, got [2, 1]");
  EXPECT_EQ(errors_of(axes + "train.steps: {range: [0, 1.5, 2]}}}}"),
            "c.yaml:1:56: sweep.random.axes.train.steps.range: expected a list of 2 numbers, low and high, got [0, 1.5, 2]");
  EXPECT_EQ(errors_of(axes + "train.steps: {range: [0, 1.5]}}}}"),
            "c.yaml:1:57: sweep.random.axes.train.steps.range[0]: expected an integer >= 1, got 0\n"
            "c.yaml:1:60: sweep.random.axes.train.steps.range[1]: expected an integer >= 1, got 1.5");
  EXPECT_EQ(errors_of(axes + "model.dropout: {log: [0, 0.5]}}}}"),
            "c.yaml:1:57: sweep.random.axes.model.dropout.log[0]: expected a number > 0, since its logarithm is taken, got 0");
  EXPECT_EQ(errors_of(axes + "model.position.kind: {range: [0, 1]}}}}"),
            "c.yaml:1:64: sweep.random.axes.model.position.kind.range: expected {choice: [values]}, since model.position.kind is "
            "no number, got a range of numbers");
  EXPECT_EQ(errors_of(axes + "model.position.kind: {choice: [rope, alibo]}}}}")
                .find("c.yaml:1:72: sweep.random.axes.model.position."
                      "kind.choice[1]: expected one of none, "),
            0u);
}

TEST(SweepExclude, LeavesOutWhatMatchesEveryEntryOfACondition) {
  EXPECT_EQ(runs_of(plan_of("sweep: {grid: {model.position.kind: [rope, none], train.length: [32, 64, 128]},\n"
                            "        exclude: [{model.position.kind: rope, train.length: [64, 128]}]}")),
            "model.position.kind rope, train.length 32\n"
            "model.position.kind none, train.length 32\n"
            "model.position.kind none, train.length 64\n"
            "model.position.kind none, train.length 128\n");
}

TEST(SweepExclude, ComparesResolvedSettings) {
  const std::string text = "model: {position: {kind: rope}}\nsweep: {grid: {model.layers: [1, 2]}, exclude: ";
  const auto left = [&](const std::string& conditions) { return plan_of(text + conditions + "}").runs.size(); };
  EXPECT_EQ(left("[{model.layers: 2, model.position.base: 1e4}]"), 1u);
  EXPECT_EQ(left("[{model.layers: 2, model.position: {kind: rope, base: 10000}}]"), 1u);
  EXPECT_EQ(left("[{model.layers: 2, model.position: {kind: rope, base: 500}}]"), 2u);
  EXPECT_EQ(left("[{model.layers: 2, model.hidden: 256}]"), 1u);
  EXPECT_EQ(left("[{model.layers: 2, model: {hidden: 256, position.base: 10000}}]"), 1u);
  EXPECT_EQ(left("[{model.layers: 2, evaluate.lengths: [64, 128, 256, 512, 1024]}]"), 1u);
  EXPECT_EQ(left("[{model.layers: 2, evaluate.lengths: [64, 128]}]"), 2u);
  EXPECT_EQ(left("[{model.layers: 2, evaluate.lengths: [[64], [64, 128, 256, 512, 1024]]}]"), 1u);
  EXPECT_EQ(left("[{model.layers: 2, 'evaluate.lengths[1]': 128}]"), 1u);
  EXPECT_EQ(left("[{model.layers: 2, model.position: [{kind: alibi}, {kind: rope}]}]"), 1u);
  EXPECT_EQ(left("[{model.layers: 2, model.position.slopes: fixed}]"), 2u) << "of another kind";
}

TEST(SweepExclude, SparesImpossibleCombinations) {
  const std::string grid = "sweep: {grid: {model.width: [32, 66], model.heads: [2, 4]}, exclude: ";
  EXPECT_EQ(errors_of(grid + "[]}"), "c.yaml:1:56: model.heads: expected a divisor of model.width 66, got 4");
  EXPECT_EQ(runs_of(plan_of(grid + "[{model.width: 66, model.heads: 4}]}")),
            "model.width 32, model.heads 2\nmodel.width 32, model.heads 4\nmodel.width 66, model.heads 2\n");
}

TEST(SweepExclude, DoesNotHideWhatMakesItUndecided) {
  EXPECT_EQ(errors_of("sweep: {grid: {model.heads: [2, four]}, exclude: [{model.heads: 4}]}"),
            "c.yaml:1:33: model.heads: expected an integer >= 1, got four");
  EXPECT_EQ(errors_of("sweep: {list: [{}, {model: 3}], exclude: [{model.heads: 4, train.steps: 2000}]}"),
            "c.yaml:1:28: model: expected a map of settings, got 3");
}

TEST(SweepExclude, HoldsForTheSweepItStandsIn) {
  EXPECT_EQ(runs_of(plan_of("sweep:\n"
                            "  list:\n"
                            "    - {grid: {train.batch: [8, 16]}, exclude: [{train.batch: 8}]}\n"
                            "    - {model.layers: 1, grid: {train.batch: [8, 16]}}\n")),
            "train.batch 16\nmodel.layers 1, train.batch 8\nmodel.layers 1, train.batch 16\n");
}

TEST(SweepExclude, AValueIsFineIfAnyKindTakesIt) {
  const std::string text = "sweep: {seeds: 2, exclude: [{model.position.width: ";
  EXPECT_EQ(errors_of(text + "1}]}"), "") << "one of fire, none of sandwich";
  EXPECT_EQ(errors_of(text + "0}]}"), "c.yaml:1:52: sweep.exclude[0].model.position.width: expected an integer >= 2, got 0");
}

TEST(SweepExclude, SaysSoIfItChangesNothingOrEverything) {
  const Plan plan = plan_of("sweep: {seeds: 2, exclude: [{seed: 1}, {train.length: 32}]}");
  EXPECT_EQ(plan.warnings, std::vector<std::string>{"sweep.exclude[1] at c.yaml:2:40 leaves out no run"});
  EXPECT_EQ(errors_of("sweep: {seeds: 2, exclude: [{seed: [0, 1]}]}"),
            "c.yaml:1:8: sweep: expected at least one run, got 2 points, every one of them excluded");
}

TEST(SweepExclude, RefusesWhatIsNoCondition) {
  EXPECT_EQ(errors_of("sweep: {seeds: 2, exclude: {seed: 1}}"),
            "c.yaml:1:28: sweep.exclude: expected a list of conditions, got a map; did you mean [{seed: 1}]?");
  EXPECT_EQ(
      errors_of("sweep: {seeds: 2, exclude: [{}, seed, {sede: 1}, {seed: one}, {steps: 3}, {train.rate: 1}]}"),
      "c.yaml:1:29: sweep.exclude[0]: expected settings and their values, got an empty map\n"
      "c.yaml:1:33: sweep.exclude[1]: expected settings and their values, got seed\n"
      "c.yaml:1:40: sweep.exclude[2].sede: expected a known setting, got sede; did you mean seed?\n"
      "c.yaml:1:57: sweep.exclude[3].seed: expected an integer >= 0, got one\n"
      "c.yaml:1:64: sweep.exclude[4].steps: expected a known setting, got steps; did you mean train.steps?\n"
      "c.yaml:1:76: sweep.exclude[5].train.rate: expected a known setting, got train.rate; did you mean train.optimizer.rate?");
}

// A file and one that extends it, in a directory of their own.
std::string runs_of_extended(const std::string& base, const std::string& own, const std::vector<std::string>& sets = {}) {
  const fs::path directory = fs::path(::testing::TempDir()) / "ropewalk-sweep-forms";
  fs::create_directories(directory);
  std::ofstream(directory / "base.yaml") << base;
  std::ofstream(directory / "own.yaml") << "extends: base.yaml\n" << own;
  std::string runs;
  try {
    runs = runs_of(load_plan(directory / "own.yaml", sets));
  } catch (const ConfigErrors& errors) {
    for (const Complaint& complaint : errors.complaints()) runs += complaint.path + ": " + complaint.message + "\n";
  }
  fs::remove_all(directory);
  return runs;
}

TEST(SweepEdits, NullRemovesWhatIsInherited) {
  const std::string base =
      "sweep:\n  grid: {train.steps: [200, 300], model.layers: [1, 2]}\n  random: {count: 1, axes: {train.batch: {range: [8, "
      "9]}}}\n";
  const std::string batch = "train.batch 8\n";
  EXPECT_EQ(runs_of_extended(base, "sweep: {grid: {train.steps: null, model.layers: ~}}"), batch);
  EXPECT_EQ(runs_of_extended(base, "sweep: {grid: null}"), batch);
  EXPECT_EQ(runs_of_extended(base, "sweep: {grid: {train.steps: ~}, random: ~}"), "model.layers 1\nmodel.layers 2\n");
  EXPECT_EQ(runs_of_extended(base, "sweep: null"), "");
  EXPECT_EQ(runs_of_extended(base, "", {"sweep.grid.train.steps=null", "sweep.random=~"}), "model.layers 1\nmodel.layers 2\n");
  EXPECT_EQ(runs_of_extended(base, "", {"sweep=null"}), "");
}

TEST(SweepEdits, NullWithNothingToRemoveIsAMistake) {
  const std::string mistake = "expected a list of values, got nothing, and nothing is inherited that this could remove\n";
  EXPECT_EQ(runs_of_extended("sweep: {seeds: 2}", "sweep: {grid: {train.steps: null}}"), "sweep.grid.train.steps: " + mistake);
  EXPECT_EQ(runs_of_extended("seed: 1", "", {"sweep.zip.train.steps=null"}), "sweep.zip.train.steps: " + mistake);
  EXPECT_EQ(errors_of("sweep:"),
            "c.yaml:1:1: sweep: expected a map, got nothing, and nothing is inherited that this could remove");
}

TEST(SweepEdits, ARandomAxisIsReplacedWhole) {
  EXPECT_EQ(runs_of_extended("sweep: {random: {count: 1, axes: {train.batch: {log: [4, 99]}}}}",
                             "sweep: {random: {axes: {train.batch: {range: [8, 9]}}}}"),
            "train.batch 8\n");
}

TEST(SweepEdits, AnAxisThatIsGivenTwiceNamesTheInheritedOne) {
  EXPECT_NE(runs_of_extended("sweep: {grid: {train.steps: [200]}}", "sweep: {zip: {train.steps: [300]}}")
                .find("; null for sweep.grid.train.steps removes that one"),
            std::string::npos);
}

TEST(Exclude, SeesEveryStage) {
  const std::string sweep =
      "evaluate: {lengths: [64]}\nsweep:\n  grid: {train.steps: [200, 300], train.stages: [[], [{length: 32, batch: 8}]]}\n"
      "  exclude: [{train.steps: 300, ";
  const auto asked = [&](const std::string& condition) {
    std::vector<std::string> axes;
    for (const RunConfig& run : parse_plan("name: a\n" + sweep + condition + "}]", "c.yaml").runs) {
      if (run.asked) axes.push_back(run.axes[0].value + " " + run.axes[1].value);
    }
    return axes;
  };
  using Axes = std::vector<std::string>;
  const std::string staged = "[length=32 batch=8]";
  EXPECT_EQ(asked("train.stages: []"), (Axes{"200 []", "200 " + staged, "300 " + staged}));
  EXPECT_EQ(asked("train.stages: [{length: 32}]"), (Axes{"200 []", "200 " + staged, "300 []"}));
  EXPECT_EQ(asked("'train.stages[0].batch': 8"), (Axes{"200 []", "200 " + staged, "300 []"}));
  EXPECT_EQ(asked("'train.stages[0].clip': 1.0"), (Axes{"200 []", "200 " + staged, "300 []"})) << "what it inherits counts";
}

TEST(Exclude, SeesWhatALaterStageIsScaledFrom) {
  const Plan plan = parse_plan(
      "name: a\nevaluate: {lengths: [64]}\nmodel: {position: {kind: rope}}\ntrain: {length: 64}\n"
      "sweep:\n  grid: {train.stages: [[{length: 128, position: {scaling: {kind: yarn}}}], [{length: 128}]]}\n"
      "  exclude: [{'train.stages[0].position.scaling.original': 64}]",
      "c.yaml");
  EXPECT_EQ(plan.runs.size(), 2u) << "the first stage, and the second without a scaling";
}

TEST(Random, ReachesASettingOfALaterStage) {
  const Plan plan = parse_plan(
      "name: a\nevaluate: {lengths: [64]}\ntrain: {stages: [{steps: 150}]}\n"
      "sweep: {random: {count: 3, axes: {'train.stages[0].rate': {log: [1e-4, 1e-2]}, 'train.stages[0].steps': {range: [100, "
      "200]}}}}",
      "c.yaml");
  EXPECT_EQ(plan.runs.size(), 4u) << "and the first stage they share";
}

}  // namespace
}  // namespace ropewalk::config
