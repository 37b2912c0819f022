#include "experiments/config/stages.hpp"

#include <gtest/gtest.h>

#include <string>

#include "experiments/config/flat_settings.hpp"
#include "experiments/config/plan.hpp"
#include "experiments/config/run_id.hpp"

namespace ropewalk::config {
namespace {

Plan plan_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return parse_plan("name: test\nevaluate: {lengths: [64, 256]}\n" + text, "c.yaml", sets);
}

std::string errors_of(const std::string& text) {
  try {
    plan_of(text);
    return "";
  } catch (const ConfigErrors& errors) {
    return errors.what();
  }
}

constexpr const char* two_stages = R"(
model: {position: {kind: rope, base: 500}}
train:
  length: 64
  steps: 1000
  schedule: {kind: linear, warmup: 20}
  stages: [{length: 256, steps: 50, rate: 1e-4, position: {scaling: {kind: yarn, factor: 4}}}]
)";

TEST(Stages, ALaterStageChangesWhatItNamesAndKeepsTheRest) {
  const Plan plan = plan_of(two_stages);
  ASSERT_EQ(plan.runs.size(), 2u);
  const Settings &first = plan.runs[0].settings, &second = plan.runs[1].settings;
  EXPECT_EQ(first.train.length, 64);
  EXPECT_EQ(first.train.steps, 1000);
  EXPECT_EQ(second.train.length, 256);
  EXPECT_EQ(second.train.steps, 50);
  EXPECT_EQ(second.train.batch, 32);
  EXPECT_EQ(second.train.optimizer->rate(), 1e-4);
  EXPECT_EQ(second.train.schedule.kind(), "linear");
  EXPECT_EQ(second.train.schedule->warmup(), 20);
  const auto settings = flat_settings(plan.runs[1].yaml);
  EXPECT_EQ(settings.at("model.position.scaling.kind"), "none");
  EXPECT_EQ(settings.at("train.stages[0].position.scaling.kind"), "yarn");
  EXPECT_EQ(settings.at("train.stages[0].position.scaling.original"), "64") << "the length it was trained on before";
}

TEST(Stages, ARunStartsFromTheOneWithoutItsLastStage) {
  const Plan plan = plan_of(two_stages);
  EXPECT_FALSE(plan.runs[0].asked);
  EXPECT_TRUE(plan.runs[1].asked);
  EXPECT_EQ(plan.runs[0].before, "");
  EXPECT_EQ(plan.runs[1].before, plan.runs[0].id);
  EXPECT_EQ(plan.runs[1].steps_before, 1000);
  EXPECT_EQ(plan.runs[1].steps(), 1050);
  const Plan alone = plan_of(two_stages, {"train.stages=[]"});
  ASSERT_EQ(alone.runs.size(), 1u);
  EXPECT_EQ(alone.runs[0].id, plan.runs[0].id) << "the first stage is a run like any other";
  EXPECT_EQ(alone.runs[0].yaml, plan.runs[0].yaml);
}

TEST(Stages, RunsThatAgreeOnTheFirstStageShareIt) {
  const Plan plan = plan_of(two_stages, {"sweep.grid.train.stages[0].steps=[20, 30, 40]", "sweep.seeds=2"});
  std::size_t asked = 0;
  for (const RunConfig& run : plan.runs) asked += run.asked;
  EXPECT_EQ(plan.runs.size(), 8u);
  EXPECT_EQ(asked, 6u);
  EXPECT_EQ(plan.runs[0].axes.size(), 1u) << "the seed alone: the steps are decided later";
  EXPECT_TRUE(plan.warnings.empty());
}

TEST(Stages, APointThatIsTheFirstStageOfAnotherIsAsked) {
  for (const char* order : {"[[], [{steps: 10}]]", "[[{steps: 10}], []]"}) {
    const Plan plan =
        plan_of("train: {schedule: {kind: constant, warmup: 0}}", {std::string("sweep.grid.train.stages=") + order});
    ASSERT_EQ(plan.runs.size(), 2u) << order;
    EXPECT_TRUE(plan.runs[0].asked && plan.runs[1].asked);
    EXPECT_EQ(plan.runs[1].before, plan.runs[0].id);
    EXPECT_EQ(plan.runs[0].axes.size(), 1u);
  }
}

TEST(Stages, AResolvedConfigMeansTheSameRun) {
  const Plan plan = plan_of(two_stages);
  for (const RunConfig& run : plan.runs) {
    const Plan again = parse_plan(run.yaml, "config.yaml");
    EXPECT_EQ(again.runs.back().id, run.id);
    EXPECT_EQ(again.runs.back().yaml, run.yaml);
  }
  // What is inherited may as well be written.
  EXPECT_EQ(plan_of(two_stages, {"train.stages[0].batch=32", "train.stages[0].position.base=5e2"}).runs.back().id,
            plan.runs.back().id);
}

TEST(Stages, TheIdNamesWhatAStageChanges) {
  const auto slug = [](const std::string& stages) {
    const std::string id = plan_of("model: {position: {kind: rope, base: 500}}\ntrain: {schedule: {kind: constant, warmup: 0}}",
                                   {"train.stages=" + stages})
                               .runs.back()
                               .id;
    return id.substr(0, id.rfind('-'));
  };
  EXPECT_EQ(slug("[{length: 256, steps: 20}]"), "position-rope-base-500-seed-0-stage-2-length-256-steps-20-schedule-constant");
  EXPECT_EQ(slug("[{position: {scaling: {kind: yarn, factor: 8}}}]"),
            "position-rope-base-500-seed-0-stage-2-scaling-yarn-factor-8-schedule-constant");
  EXPECT_EQ(slug("[{position: {kind: none}}, {steps: 5}]"),
            "position-rope-base-500-seed-0-stage-2-position-none-stage-3-steps-5");
}

TEST(Stages, AThirdStageGoesOnFromTheSecond) {
  const Plan plan = plan_of(
      "model: {position: {kind: rope}}\ntrain: {length: 32, stages: [{length: 64}, {length: 128, position: {scaling: {kind: "
      "dynamic_ntk}}}]}");
  ASSERT_EQ(plan.runs.size(), 3u);
  EXPECT_EQ(plan.runs[2].before, plan.runs[1].id);
  EXPECT_EQ(plan.runs[2].steps_before, 4000);
  EXPECT_EQ(flat_settings(plan.runs[2].yaml).at("train.stages[1].position.scaling.original"), "64");
}

TEST(Stages, ALearnedTableKeepsItsRows) {
  EXPECT_EQ(errors_of("model: {position: {kind: learned, beyond: clamp}}\ntrain: {stages: [{length: 256}]}"),
            "c.yaml:4:18: train.stages[0].position.max_length: a table of 64 rows is shorter than the trained length 256");
  EXPECT_EQ(errors_of("model: {position: {kind: learned, beyond: clamp, max_length: 256}}\ntrain: {stages: [{length: 256}]}"),
            "");
}

TEST(Stages, SayWhatIsWrong) {
  struct Bad {
    const char* text;
    const char* error;
  };
  const Bad table[] = {
      {"train: {stages: {steps: 5}}",
       "c.yaml:3:17: train.stages: expected a list of maps, one for each later stage, got a map; did you mean a list of that one "
       "map, [{…}]?"},
      {"train: {stages: [{}]}",
       "c.yaml:3:18: train.stages[0]: expected a map of what the stage changes (length, position, positions, steps, "
       "batch, rate, schedule, clip), got an empty map"},
      {"train: {stages: [{step: 5}]}",
       "c.yaml:3:19: train.stages[0].step: expected a setting that a stage can change (length, position, positions, steps, "
       "batch, rate, schedule, clip), got step; did you mean steps?"},
      {"train: {stages: [{steps: 500}, {length: 0}]}", "c.yaml:3:41: train.stages[1].length: expected an integer >= 1, got 0"},
      {"train: {stages: [{rate: fast}]}", "c.yaml:3:25: train.stages[0].rate: expected a number > 0, got fast"},
      {"train: {stages: [{steps: 5}]}",
       "c.yaml:3:18: train.stages[0].schedule.warmup: expected at most train.steps 5 (set both together), got 100"},
      {"train: {stages: [{position: {kind: ropes}}]}",
       "c.yaml:3:36: train.stages[0].position.kind: expected one of none, sinusoidal, learned, shaw, transformer_xl, t5, rope, "
       "xpos, alibi, kerple, sandwich, fire, cope, forget, deberta, abacus, segment, axial_rope, learned_2d, sum, got ropes; did "
       "you mean rope?"},
      {"train: {stages: [{position: {base: 5}}]}",
       "c.yaml:3:30: train.stages[0].position.base: expected a known setting (kind), got base"},
      // Of a stage after a mistake, what can be seen without it.
      {"train: {batch: 0, stages: [{steps: none}]}",
       "c.yaml:3:16: train.batch: expected an integer >= 1, got 0\n"
       "c.yaml:3:36: train.stages[0].steps: expected an integer >= 1, got none"},
  };
  for (const Bad& bad : table) EXPECT_EQ(errors_of(bad.text), bad.error) << bad.text;
}

TEST(Stages, EverySettingOfOneIsListedWithWhereItComesFrom) {
  std::size_t listed = 0;
  for (const SettingInfo& setting : every_setting()) {
    if (!setting.path.starts_with("train.stages[].")) continue;
    ++listed;
    EXPECT_FALSE(setting.type.empty()) << setting.path;
    EXPECT_NE(setting.help.find(" in that stage"), std::string::npos);
  }
  EXPECT_EQ(listed, stage_keys().size());
}

}  // namespace
}  // namespace ropewalk::config
