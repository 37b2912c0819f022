#include "experiments/config/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/cross_check.hpp"
#include "experiments/config/parse.hpp"
#include "experiments/config/plan.hpp"

namespace ropewalk::config {
namespace {

std::string errors_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    parse_plan(text + "\nname: test", "c.yaml", sets);
  } catch (const ConfigErrors& errors) {
    return errors.what();
  }
  return "";
}

// The example of the config contract, without its sweep.
const char* const contract = R"(name: quickstart
seed: 0
task: {kind: text, corpus: data/kjv.txt, tokens: bytes, validation: 0.1}
model:
  kind: decoder
  layers: 2
  heads: 4
  width: 64
  hidden: 256
  activation: gelu
  norm: layer
  dropout: 0.0
  tie_embeddings: false
  position: {kind: alibi}
  positions: {kind: contiguous}
train:
  length: 64
  batch: 32
  steps: 2000
  shards: 4
  optimizer: {kind: adamw, rate: 2.0e-3, betas: [0.9, 0.98], epsilon: 1.0e-8, decay: 0.01}
  schedule: {kind: cosine, warmup: 100, floor: 0.0}
  clip: 1.0
  stages: []
evaluate: {lengths: [64, 128, 256, 512, 1024], protocols: [nonoverlapping], stride: 16, targets: 32, tokens: 65536, every: 0}
record: {every: 10}
)";

TEST(Settings, TheContractIsAccepted) {
  const Plan plan = parse_plan(contract, "c.yaml");
  ASSERT_EQ(plan.runs.size(), 1u);
  EXPECT_EQ(plan.name, "quickstart");
  EXPECT_EQ(plan.runs[0].settings.model.position.kind(), "alibi");
  EXPECT_EQ(plan.runs[0].settings.train.optimizer->rate(), 0.002);
  EXPECT_EQ(dynamic_cast<const TextSettings&>(*plan.runs[0].settings.task).corpus, "data/kjv.txt");
}

TEST(Settings, TheContractIsTheDefaultButForWhatAWholeConfigChooses) {
  const std::string defaults = parse_plan("{name: quickstart}", "c.yaml").runs[0].yaml;
  const std::string chosen =
      parse_plan("{name: quickstart, model: {hidden: 256, position: {kind: alibi}}}", "c.yaml").runs[0].yaml;
  EXPECT_EQ(parse_plan(contract, "c.yaml").runs[0].yaml, chosen);
  EXPECT_NE(defaults, chosen);
}

TEST(Settings, TheResolvedConfigResolvesToItself) {
  for (const char* position : {"none", "sinusoidal", "rope", "alibi", "t5", "shaw", "fire", "sum"}) {
    const RunConfig run = parse_plan(contract, "c.yaml", {fmt::format("model.position.kind={}", position)}).runs[0];
    const RunConfig again = parse_plan(run.yaml, "run.yaml").runs[0];
    EXPECT_EQ(again.yaml, run.yaml);
    EXPECT_EQ(again.id, run.id);
  }
}

// Kinds that are refused as they come: longrope without its factors, and two that only rope has a rule for.
bool needs_company(const std::string& path) {
  const auto has = [&](const char* part) { return path.find(part) != std::string::npos; };
  return has("(longrope)") || (!has("(rope)") && (has("(self_extend)") || has("(rerope)")));
}

// Every setting that is listed can be written in a config at the path listed, whatever kind it belongs to.
TEST(Settings, EverySettingIsReachable) {
  for (const SettingInfo& setting : every_setting()) {
    if (setting.path.find("[]") != std::string::npos) continue;  // of an element: tests/config/stages_test.cpp
    if (setting.path.starts_with("sweep.") || setting.path == "extends" || setting.path == "name") continue;
    std::vector<std::string> sets = {"evaluate.lengths=[64]"};
    for (std::size_t open = setting.path.find('('); open != std::string::npos; open = setting.path.find('(', open + 1)) {
      const std::string kind = setting.path.substr(open + 1, setting.path.find(')', open) - open - 1);
      sets.push_back(without_kinds(setting.path.substr(0, open)) + ".kind=" + kind);
    }
    sets.push_back(without_kinds(setting.path) + "=" + setting.value);
    const std::string errors = errors_of("seed: 0", sets);
    if (needs_company(setting.path)) {
      EXPECT_NE(errors.find("model.position.scaling."), std::string::npos) << errors;
      EXPECT_EQ(errors.find("unknown"), std::string::npos) << errors;
    } else {
      EXPECT_EQ(errors, "") << setting.path;
    }
    EXPECT_FALSE(setting.help.empty()) << setting.path;
  }
}

TEST(Settings, OnePlaceHoldsEachOfThem) {
  std::vector<std::string> paths;
  for (const SettingInfo& setting : every_setting()) paths.push_back(setting.path);
  for (const char* path : {"name",
                           "seed",
                           "task.kind",
                           "task(text).corpus",
                           "task(masked_text).corpus",
                           "task(masked_text).rate",
                           "model.kind",
                           "model.position(rope).base",
                           "model.positions.kind",
                           "train.optimizer(adamw).betas",
                           "train.schedule(cosine).warmup",
                           "train.clip",
                           "evaluate.lengths",
                           "record.every",
                           "record.attention",
                           "tags",
                           "notes",
                           "extends",
                           "sweep.grid",
                           "sweep.zip",
                           "sweep.list",
                           "sweep.random.count",
                           "sweep.random.seed",
                           "sweep.random.axes",
                           "sweep.seeds",
                           "sweep.exclude"}) {
    EXPECT_EQ(std::count(paths.begin(), paths.end(), path), 1) << path;
  }
}

struct Bad {
  const char* text;
  const char* error;
};

const Bad bad_configs[] = {
    {"model: {heads: 3}", "c.yaml:1:16: model.heads: expected a divisor of model.width 64, got 3"},
    {"model: {width: 66}", "c.yaml:1:8: model.heads: expected a divisor of model.width 66, got 4"},
    {"train: {batch: 2}", "c.yaml:1:8: train.shards: expected at most train.batch 2, got 4"},
    {"train: {shards: 33}", "c.yaml:1:17: train.shards: expected at most train.batch 32, got 33"},
    {"train: {steps: 50}", "c.yaml:1:8: train.schedule.warmup: expected at most train.steps 50 (set both together), got 100"},
    {"train: {schedule: {warmup: 2001}}",
     "c.yaml:1:28: train.schedule.warmup: expected at most train.steps 2000 (set both together), got 2001"},
    {"train: {steps: 0, batch: 2, shards: 3}",
     "c.yaml:1:16: train.steps: expected an integer >= 1, got 0\nc.yaml:1:37: train.shards: expected at most train.batch 2, got "
     "3"},
    {"evaluate: {lengths: [64, 128, 64]}", "c.yaml:1:31: evaluate.lengths[2]: expected each value once, got 64 again"},
    {"evaluate: {protocols: [sliding, sliding]}",
     "c.yaml:1:33: evaluate.protocols[1]: expected each value once, got sliding again"},
    {"evaluate: {protocols: []}",
     "c.yaml:1:23: evaluate.protocols: expected a list of at least 1 words, each one of nonoverlapping, sliding, fixed_target, "
     "got 0 "
     "elements"},
    {"evaluate: {tokens: 1024}",
     "c.yaml:1:20: evaluate.tokens: expected more than the longest of evaluate.lengths, 1024, got 1024"},
    {"evaluate: {protocols: [sliding], stride: 65}",
     "c.yaml:1:42: evaluate.stride: expected at most the shortest of evaluate.lengths, 64, for sliding, got 65"},
    {"evaluate: {protocols: [fixed_target], lengths: [16, 64]}",
     "c.yaml:1:11: evaluate.targets: expected at most the shortest of evaluate.lengths, 16, for fixed_target, got 32"},
    {"model: {width: 63, heads: 1, position: {kind: sinusoidal}}",
     "c.yaml:1:47: model.position.kind: sinusoidal pairs a sine with a cosine and needs an even model.width, got 63"},
    {"task: {validation: 1}", "c.yaml:1:20: task.validation: expected a number in (0, 1), got 1"},
    {"task: {kind: texts}", "c.yaml:1:14: task.kind: expected one of text, masked_text, got texts; did you mean text?"},
    {"task: {rate: 0.2}",
     "c.yaml:1:8: task.rate: expected a known setting (kind, corpus, tokens, validation), got rate; name a kind that has it: "
     "masked_text"},
    {"task: {kind: masked_text, rate: 0}", "c.yaml:1:33: task.rate: expected a number in (0, 1), got 0"},
    {"task: {kind: masked_text}\nevaluate: {protocols: [nonoverlapping, sliding, fixed_target]}",
     "c.yaml:2:40: evaluate.protocols[1]: expected nonoverlapping for the task masked_text, got sliding\n"
     "c.yaml:2:49: evaluate.protocols[2]: expected nonoverlapping for the task masked_text, got fixed_target"},
    {"task: {kind: masket_text}\nevaluate: {protocols: [sliding]}",
     "c.yaml:1:14: task.kind: expected one of text, masked_text, got masket_text; did you mean masked_text?"},
    {"train: {optimizer: {betas: [0.9, 1]}}", "c.yaml:1:34: train.optimizer.betas[1]: expected a number in [0, 1), got 1"},
    {"train: {stages: [a]}",
     "c.yaml:1:18: train.stages[0]: expected a map of what the stage changes (length, position, positions, steps, batch, rate, "
     "schedule, clip), got a"},
    {"record: {attention: 1}", "c.yaml:1:21: record.attention: expected true or false, got 1"},
    {"record: {every: 0}", "c.yaml:1:17: record.every: expected an integer >= 1, got 0"},
};

TEST(Settings, SayWhatIsWrong) {
  for (const Bad& bad : bad_configs) EXPECT_EQ(errors_of(bad.text), bad.error) << bad.text;
}

TEST(Settings, ASchemeBlamesItsOwnSettings) {
  const std::string odd = errors_of("model: {position: {kind: rope, fraction: 0.3}}");
  EXPECT_EQ(odd.substr(0, odd.find(": rotation")), "c.yaml:1:42: model.position.fraction");
  const std::string beyond = errors_of("model:\n  position: {kind: learned, max_length: 100}");
  EXPECT_EQ(beyond.substr(0, beyond.find(": length")), "c.yaml:2:13: model.position.beyond");
  EXPECT_EQ(errors_of("model: {position: {kind: learned, beyond: clamp}}"), "");
}

TEST(Settings, ABadValueHidesNoOtherMistakeOfItsScheme) {
  EXPECT_EQ(
      errors_of("model: {width: 60, position: {kind: rope, base: 0}}"),
      "c.yaml:1:30: model.position.fraction: rotation works on pairs: expected fraction times the head width 15 to be an even "
      "number of elements, got 15\n"
      "c.yaml:1:49: model.position.base: expected a number > 1, got 0");
  // One that comes from the bad value itself would be a guess.
  EXPECT_EQ(errors_of("model: {position: {kind: rope, scaling: {kind: yarn, alpha: -1, beta: 0.5}}}"),
            "c.yaml:1:61: model.position.scaling.alpha: expected a number >= 0, got -1");
  EXPECT_EQ(errors_of("model: {position: {kind: learned, max_length: many}}"),
            "c.yaml:1:47: model.position.max_length: expected an integer >= 0, got many");
}

TEST(Settings, ASamplerThatChangesNothingIsWarnedOf) {
  const auto warnings = [](const std::string& position, const std::string& positions) {
    return parse_plan(
               fmt::format("{{name: test, model: {{position: {{kind: {}}}, positions: {{kind: {}}}}}}}", position, positions),
               "c.yaml")
        .warnings;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(warnings("none", "offset"),
            Lines{"model.positions: offset changes nothing with model.position none, which does not read positions"});
  EXPECT_EQ(warnings("alibi", "offset"), Lines{"model.positions: offset changes nothing with model.position alibi, which goes by "
                                               "distances, and a shift of all positions leaves those as they are"});
  for (const char* fine : {"sinusoidal", "fire"}) EXPECT_EQ(warnings(fine, "offset"), Lines{}) << fine;
  EXPECT_EQ(warnings("alibi", "cape"), Lines{});
  EXPECT_EQ(warnings("none", "contiguous"), Lines{});
}

TEST(Settings, PlacesAreFoundInsideListsOfKinds) {
  Complaints complaints;
  const Tree tree = parse("model:\n  position: {parts: [{kind: a}, {kind: b, heads: 3}]}", "c", Lines::shown, complaints).value();
  EXPECT_EQ(to_string(place_of(tree, "model.position.parts[1].heads")), "c:2:50");
  EXPECT_EQ(to_string(place_of(tree, "model.position.parts[0].heads")), "c:2:22");
  EXPECT_EQ(to_string(place_of(tree, "model.position.parts[2].heads")), "c:2:21");
  EXPECT_EQ(to_string(place_of(tree, "train.steps")), "c:1:1");
}

TEST(Settings, NamesAreDirectoryNames) {
  for (const char* name : {"", "a/b", "..", ".hidden", "-x", "a b", "a\tb"}) {
    try {
      parse_plan(fmt::format("name: \"{}\"", name), "c.yaml");
      ADD_FAILURE() << name;
    } catch (const ConfigErrors& errors) {
      EXPECT_EQ(errors.complaints()[0].path, "name");
    }
  }
  EXPECT_EQ(parse_plan("name: été-2.1_b", "c.yaml").name, "été-2.1_b");
}

}  // namespace
}  // namespace ropewalk::config
