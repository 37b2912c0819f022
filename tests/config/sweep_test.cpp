#include "experiments/config/sweep.hpp"

#include <gtest/gtest.h>

#include <string>

#include "experiments/config/encode.hpp"
#include "tests/config/plans.hpp"
#include "tests/config/toy.hpp"

namespace ropewalk::config {
namespace {

/// Every scheme, as an error lists them.
std::string scheme_kinds() {
  std::string kinds;
  for (const auto& kind : positional::schemes()) kinds += (kinds.empty() ? "" : ", ") + kind.name;
  return kinds;
}

// `model.position` of the toy settings at each point of a sweep, one a line.
std::string toy_positions_of(const std::string& text) {
  Complaints complaints;
  Tree config = parse(text, "c.yaml", Lines::shown, complaints).value();
  toy::Settings scratch;
  Fields schema;
  scratch.describe(schema);
  const Sweep sweep = expand_sweep(config, schema, complaints);
  config.erase("sweep");
  std::string lines;
  for (const Point& point : sweep.points) {
    toy::Settings settings;
    Fields fields, model;
    settings.describe(fields);
    Tree tree = config;
    for (const Assignment* assignment : outer_first(point)) assign(tree, *assignment, &schema, complaints);
    decode(tree, fields, complaints);
    settings.model.describe(model);
    lines += flow_yaml(encode(model).find("position")->value) + "\n";
  }
  complaints.raise();
  return lines;
}

TEST(Sweep, WithoutAxesIsOneRun) {
  for (const char* text : {"seed: 3", "seed: 3\nsweep: {}", "seed: 3\nsweep: {grid: {}, zip: {}}"}) {
    const Plan plan = plan_of(text);
    ASSERT_EQ(plan.runs.size(), 1u);
    EXPECT_TRUE(plan.runs[0].axes.empty());
    EXPECT_EQ(plan.runs[0].settings.seed, 3);
  }
}

TEST(Sweep, GridIsEveryCombinationTheLastFastest) {
  EXPECT_EQ(runs_of(plan_of("sweep: {grid: {model.layers: [1, 2], model.width: [32, 64]}, seeds: 2}")),
            "model.layers 1, model.width 32, seed 0\n"
            "model.layers 1, model.width 32, seed 1\n"
            "model.layers 1, model.width 64, seed 0\n"
            "model.layers 1, model.width 64, seed 1\n"
            "model.layers 2, model.width 32, seed 0\n"
            "model.layers 2, model.width 32, seed 1\n"
            "model.layers 2, model.width 64, seed 0\n"
            "model.layers 2, model.width 64, seed 1\n");
}

TEST(Sweep, ZipMovesTogether) {
  EXPECT_EQ(runs_of(plan_of("sweep: {grid: {model.layers: [1, 2]}, zip: {train.length: [32, 64], train.batch: [64, 32]}}")),
            "model.layers 1, train.length 32, train.batch 64\n"
            "model.layers 1, train.length 64, train.batch 32\n"
            "model.layers 2, train.length 32, train.batch 64\n"
            "model.layers 2, train.length 64, train.batch 32\n");
}

TEST(Sweep, SeedsCountFromTheSeedOrAreListed) {
  EXPECT_EQ(runs_of(plan_of("seed: 5\nsweep: {seeds: 2}")), "seed 5\nseed 6\n");
  EXPECT_EQ(runs_of(plan_of("seed: 5\nsweep: {seeds: [9, 0]}")), "seed 9\nseed 0\n");
  EXPECT_EQ(plan_of("sweep: {seeds: [7]}").runs[0].settings.seed, 7);
}

TEST(Sweep, ASectionIsReplacedALeafIsSet) {
  const Plan plan = plan_of(
      "model: {position: {kind: rope, base: 500, layout: half}}\n"
      "sweep: {grid: {model.position: [{kind: rope, fraction: 0.5}, {kind: alibi}, {kind: rope}]}}");
  ASSERT_EQ(plan.runs.size(), 3u);
  EXPECT_NE(plan.runs[0].yaml.find("base: 10000.0\n    layout: interleaved\n    fraction: 0.5\n"), std::string::npos);
  EXPECT_EQ(runs_of(plan), "model.position rope fraction=0.5\nmodel.position alibi\nmodel.position rope\n");

  const Plan leaf = plan_of("model: {position: {kind: rope, layout: half}}\nsweep: {grid: {model.position.base: [500, 1e6]}}");
  EXPECT_NE(leaf.runs[1].yaml.find("base: 1000000.0\n    layout: half\n"), std::string::npos);

  const Plan kind = plan_of("model: {position: {kind: rope, base: 500}}\nsweep: {grid: {model.position.kind: [rope, none]}}");
  EXPECT_NE(kind.runs[0].yaml.find("base: 500.0"), std::string::npos);
  EXPECT_EQ(kind.runs[1].settings.model.position.kind(), "none");
}

TEST(Sweep, AnAxisMayRefineTheOneBeforeIt) {
  const Plan plan =
      plan_of("sweep: {grid: {model.position: [{kind: rope}, {kind: sinusoidal}], model.position.base: [500, 1000]}}");
  ASSERT_EQ(plan.runs.size(), 4u);
  EXPECT_EQ(plan.runs[3].id.substr(0, 37), "position-sinusoidal-base-1000-seed-0-");
}

TEST(Sweep, ASectionIsSetBeforeWhatIsInsideWhateverTheOrder) {
  const std::string inner_first = "sweep: {grid: {model.position.base: [500, 1000], model.position: [{kind: rope}]}}";
  const std::string kind_last = "sweep: {grid: {model.position.base: [500, 1000], model.position.kind: [rope]}}";
  const std::string outer_first = "sweep: {grid: {model.position: [{kind: rope}], model.position.base: [500, 1000]}}";
  const std::vector<std::string> ids = ids_of(plan_of(outer_first));
  EXPECT_EQ(ids.size(), 2u);
  EXPECT_EQ(ids_of(plan_of(inner_first)), ids);
  EXPECT_EQ(ids_of(plan_of(kind_last)), ids);
}

TEST(Sweep, AxesReachAKindInsideAKind) {
  const std::string rope = "{kind: rope, base: 5.0, layout: interleaved, scaling: ";
  EXPECT_EQ(toy_positions_of("model: {position: {kind: rope, base: 5, scaling: {kind: linear, factor: 3}}}\n"
                             "sweep: {grid: {model.position.scaling: [{kind: none}, {kind: linear, from: 8}]}}"),
            rope + "{kind: none}}\n" + rope + "{kind: linear, factor: 2.0, from: 8}}\n");
  EXPECT_EQ(toy_positions_of("model: {position: {kind: rope, base: 5, scaling: {kind: linear, from: 8}}}\n"
                             "sweep: {grid: {model.position.scaling.factor: [4, 6]}}"),
            rope + "{kind: linear, factor: 4.0, from: 8}}\n" + rope + "{kind: linear, factor: 6.0, from: 8}}\n");
  EXPECT_EQ(toy_positions_of("model: {position: {kind: rope, base: 5, scaling: {kind: linear, factor: 3}}}\n"
                             "sweep: {grid: {model.position.scaling.kind: [linear, none]}}"),
            rope + "{kind: linear, factor: 3.0, from: 0}}\n" + rope + "{kind: none}}\n");
}

TEST(Sweep, AxesReachTheElementsOfAListOfKinds) {
  const std::string config = "model: {position: {kind: sum, parts: [{kind: none}, {kind: alibi, slopes: learned}]}}\n";
  EXPECT_EQ(toy_positions_of(config + "sweep:\n  grid:\n    model.position.parts[1].slopes: [fixed, learned]\n"),
            "{kind: sum, parts: [{kind: none}, {kind: alibi, slopes: fixed}]}\n"
            "{kind: sum, parts: [{kind: none}, {kind: alibi, slopes: learned}]}\n");
  EXPECT_EQ(toy_positions_of(config + "sweep: {grid: {'model.position.parts[1].kind': [alibi, none]}}"),
            "{kind: sum, parts: [{kind: none}, {kind: alibi, slopes: learned}]}\n"
            "{kind: sum, parts: [{kind: none}, {kind: none}]}\n");
  EXPECT_EQ(toy_positions_of(config + "sweep: {grid: {model.position.parts: [[{kind: none}, {kind: none}], "
                                      "[{kind: alibi}, {kind: none}, {kind: alibi}]]}}"),
            "{kind: sum, parts: [{kind: none}, {kind: none}]}\n"
            "{kind: sum, parts: [{kind: alibi, slopes: fixed}, {kind: none}, {kind: alibi, slopes: fixed}]}\n");
}

TEST(Sweep, PointsThatAreTheSameRunAreMerged) {
  const Plan plan = plan_of("sweep: {grid: {model.position: [{kind: rope}, {kind: rope, base: 1e4}, {kind: none}]}}");
  ASSERT_EQ(plan.runs.size(), 2u);
  ASSERT_EQ(plan.warnings.size(), 1u);
  EXPECT_EQ(plan.warnings[0], "sweep: (model.position rope) and (model.position rope base=1e4) are the same run " +
                                  plan.runs[0].id + "; it is done once");
}

TEST(Sweep, SetReachesTheAxes) {
  const std::string text = "sweep: {grid: {model.position: [{kind: rope, base: 5e2}, {kind: none}]}, seeds: 2}";
  EXPECT_EQ(runs_of(plan_of(text, {"sweep.seeds=1", "sweep.grid.model.position[0].base=7e2", "sweep.zip.train.batch=[8]"})),
            "model.position rope base=7e2, train.batch 8, seed 0\nmodel.position none, train.batch 8, seed 0\n");
  EXPECT_EQ(plan_of(text, {"sweep={}"}).runs.size(), 1u);
}

TEST(Sweep, RefusesWhatIsNoSweep) {
  EXPECT_EQ(errors_of("sweep: 3"), "c.yaml:1:8: sweep: expected a map, got 3");
  EXPECT_EQ(
      errors_of("sweep: {gird: {}}"),
      "c.yaml:1:9: sweep.gird: expected a known setting (grid, zip, list, random, seeds, exclude), got gird; did you mean grid?");
  EXPECT_EQ(errors_of("sweep: {grid: [1]}"), "c.yaml:1:15: sweep.grid: expected a map, got a list");
  EXPECT_EQ(errors_of("sweep: {grid: {seed: 1}}"),
            "c.yaml:1:22: sweep.grid.seed: expected a list of values, got 1; did you mean [1]?");
  EXPECT_EQ(errors_of("sweep: {zip: {seed: []}}"), "c.yaml:1:21: sweep.zip.seed: expected at least one value, got an empty list");
  EXPECT_EQ(errors_of("sweep: {grid: {name: [a, b]}}"),
            "c.yaml:1:16: sweep.grid.name: expected a setting that changes what a run computes, got name");
  EXPECT_EQ(errors_of("sweep: {grid: {model..layers: [1]}}"),
            "c.yaml:1:16: sweep.grid.model..layers: expected a setting that changes what a run computes, got model..layers");
}

TEST(Sweep, RefusesUnequalZips) {
  EXPECT_EQ(errors_of("sweep: {zip: {train.length: [8, 16], train.batch: [1, 2, 3]}}"),
            "c.yaml:1:38: sweep.zip.train.batch: expected 2 values, as many as train.length has, got 3");
}

TEST(Sweep, RefusesBadSeeds) {
  EXPECT_EQ(errors_of("sweep: {seeds: 0}"), "c.yaml:1:16: sweep.seeds: expected an integer in [1, 10000], got 0");
  EXPECT_EQ(errors_of("sweep: {seeds: []}"),
            "c.yaml:1:16: sweep.seeds: expected a list of at least 1 integers >= 0, got 0 elements");
  EXPECT_EQ(errors_of("sweep: {seeds: [1, -2]}"), "c.yaml:1:20: sweep.seeds[1]: expected an integer >= 0, got -2");
  EXPECT_EQ(errors_of("seed: x\nsweep: {seeds: 3}"), "c.yaml:1:7: seed: expected an integer >= 0, got x");
}

TEST(Sweep, RefusesAxesThatCollide) {
  EXPECT_EQ(errors_of("sweep: {grid: {seed: [1, 2]}, seeds: 3}"),
            "c.yaml:1:31: sweep: expected each setting on one axis, got seed again, first given at c.yaml:1:16");
  EXPECT_EQ(errors_of("sweep: {grid: {train.steps: [100]}, list: [{train.batch: 8}, {train.steps: 200}]}"),
            "c.yaml:1:63: sweep: expected each setting on one axis, got train.steps again, first given at c.yaml:1:16");
}

TEST(Sweep, RefusesUnknownSettingsOnceHoweverManyPoints) {
  EXPECT_EQ(
      errors_of("sweep:\n  grid:\n    train.rate: [1, 2, 3]\n  seeds: 5"),
      "c.yaml:3:5: train.rate: expected a known setting (length, batch, steps, shards, optimizer, schedule, clip, from, stages), "
      "got rate; "
      "did you mean train.optimizer.rate?");
  EXPECT_EQ(errors_of("seed: 0\nmodel: {layers: 0}\nsweep: {seeds: 4}"),
            "c.yaml:2:17: model.layers: expected an integer >= 1, got 0");
}

TEST(Sweep, MistakesInValuesNameTheValue) {
  EXPECT_EQ(errors_of("sweep: {grid: {model.heads: [4, 0, 5], model.position: [{kind: ropee}, {kind: rope, base: 0}]}}"),
            "c.yaml:1:33: model.heads: expected an integer >= 1, got 0\n"
            "c.yaml:1:36: model.heads: expected a divisor of model.width 64, got 5\n"
            "c.yaml:1:64: model.position.kind: expected one of " +
                scheme_kinds() +
                ", got ropee; did you mean rope?\n"
                "c.yaml:1:91: model.position.base: expected a number > 1, got 0");
}

TEST(Sweep, RefusesAValueThatTheSweepWouldHide) {
  EXPECT_EQ(errors_of("sweep: {grid: {train.steps: [1000, 2000]}}", {"train.steps=3000"}),
            "--set train.steps=3000: train.steps: expected no value, since the sweep at c.yaml:1:16 varies it, got 3000; give "
            "sweep.grid.train.steps instead, or remove the axis with sweep.grid.train.steps=null");
  const std::string betas = "train: {optimizer: {betas: [0.9, 0.98]}}\nsweep: {grid: ";
  EXPECT_EQ(
      errors_of(betas + "{'train.optimizer.betas[0]': [0.5, 0.6]}}", {"train.optimizer.betas[0]=0.7"}),
      "--set train.optimizer.betas[0]=0.7: train.optimizer.betas[0]: expected no value, since the sweep at c.yaml:2:16 varies "
      "it, got 0.7; give sweep.grid.train.optimizer.betas[0] instead, or remove the axis with "
      "sweep.grid.train.optimizer.betas[0]=null");
  EXPECT_EQ(
      errors_of(betas + "{train.optimizer: [{rate: 1}]}}", {"train.optimizer.betas[0]=0.7"}),
      "--set train.optimizer.betas[0]=0.7: train.optimizer: expected no value, since the sweep at c.yaml:2:16 varies it, got "
      "0.7; give sweep.grid.train.optimizer instead, or remove the axis with sweep.grid.train.optimizer=null");
  EXPECT_EQ(errors_of(betas + "{train.optimizer.betas: [[0.5, 0.6]]}}", {"train.optimizer.betas=[0.7, 0.8]"}),
            "--set train.optimizer.betas=[0.7, 0.8]: train.optimizer.betas: expected no value, since the sweep at c.yaml:2:16 "
            "varies it, got a list; give sweep.grid.train.optimizer.betas instead, or remove the axis with "
            "sweep.grid.train.optimizer.betas=null");
  EXPECT_EQ(errors_of("train: {steps: 3000}\nsweep: {grid: {train.steps: [1000, 2000]}}"), "");
  EXPECT_EQ(errors_of("sweep: {seeds: 2}", {"seed=5"}), "");
}

TEST(Sweep, MistakesThatAnAxisHidesAreMistakes) {
  EXPECT_EQ(errors_of("model: {position: {kind: alibo}}\nsweep: {grid: {model.position: [{kind: rope}]}}"),
            "c.yaml:1:26: model.position.kind: expected one of " + scheme_kinds() + ", got alibo; did you mean alibi?");
}

TEST(Sweep, AnAxisOverASectionLeavesWhatItDoesNotName) {
  const Plan plan = plan_of(
      "model: {width: 32, heads: 2}\n"
      "sweep: {grid: {model: [{position: {kind: rope, base: 7}}, {heads: 1, position: {kind: rope}}]}}");
  ASSERT_EQ(plan.runs.size(), 2u);
  EXPECT_EQ(plan.runs[0].settings.model.width, 32);
  EXPECT_EQ(plan.runs[0].settings.model.heads, 2);
  EXPECT_EQ(plan.runs[1].settings.model.width, 32);
  EXPECT_EQ(plan.runs[1].settings.model.heads, 1);
  EXPECT_NE(plan.runs[1].yaml.find("base: 10000"), std::string::npos) << plan.runs[1].yaml;
}

TEST(Sweep, AKindMayBeSetAfterItsSettings) {
  const Plan plan = plan_of("seed: 1", {"model.position.base=7", "model.position.kind=rope"});
  EXPECT_EQ(plan.runs[0].id.substr(0, 27), "position-rope-base-7-seed-1");
}

TEST(Sweep, ASectionMayBeSetAfterWhatIsInside) {
  const Plan base = plan_of("seed: 1", {"model.position.base=7", "model.position={kind: rope, layout: half}"});
  EXPECT_EQ(base.runs[0].id.substr(0, 39), "position-rope-base-7-layout-half-seed-1");
  const Plan kind = plan_of("seed: 1", {"model.position.kind=rope", "model.position={kind: alibi, slopes: learned}"});
  EXPECT_EQ(kind.runs[0].id.substr(0, 20), "position-rope-seed-1");
}

TEST(Sweep, AnUnknownKeyBringsNoOtherComplaint) {
  EXPECT_EQ(errors_of("modle: 2\ntrain: {steps: 20, schedule: {kind: cosine, warmup: 2}}"),
            "c.yaml:1:1: modle: expected a known setting (name, seed, task, model, train, evaluate, record, tags, notes, launch, "
            "sweep), got "
            "modle; did you mean model?");
}

TEST(Sweep, RefusesNumbersFarBeyondAnyUse) {
  EXPECT_EQ(errors_of("model: {width: 4611686018427387904}"),
            "c.yaml:1:16: model.width: expected at most 65536, got 4611686018427387904");
  EXPECT_EQ(errors_of("seed: 9223372036854775807\nsweep: {seeds: 3}"),
            "c.yaml:1:7: seed: expected at most 1000000000000000, got 9223372036854775807");
}

TEST(Sweep, RefusesMoreRunsThanAnyoneMeant) {
  std::string values = "1";
  for (int i = 2; i <= 100; ++i) values += ", " + std::to_string(i);
  EXPECT_EQ(errors_of("sweep: {grid: {train.steps: [" + values + "], train.batch: [" + values + "]}, seeds: 11}"),
            "c.yaml:1:" + std::to_string(2 * values.size() + 51) + ": sweep: expected at most 100000 runs, got more");
}

}  // namespace
}  // namespace ropewalk::config
