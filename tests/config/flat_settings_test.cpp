#include "experiments/config/flat_settings.hpp"

#include <gtest/gtest.h>

#include "experiments/config/plan.hpp"
#include "framework/core/error.hpp"

namespace ropewalk::config {
namespace {

TEST(FlatSettings, NamesEverySettingByItsPath) {
  const auto flat = flat_settings("seed: 3\nmodel:\n  position: {kind: rope, base: 500.0}\nevaluate: {lengths: [64, 128]}\n");
  EXPECT_EQ(flat.at("seed"), "3");
  EXPECT_EQ(flat.at("model.position.kind"), "rope");
  EXPECT_EQ(flat.at("model.position.base"), "500.0");
  EXPECT_EQ(flat.at("evaluate.lengths"), "[64, 128]");
  EXPECT_EQ(flat.size(), 4u);
}

TEST(FlatSettings, CountsTheElementsOfAListOfKinds) {
  const auto flat = flat_settings(
      "model: {position: {kind: sum, parts: [{kind: rope, scaling: {kind: linear, factor: 2.0}}, {kind: sum, parts: [{kind: "
      "none}]}]}}"
      "\nother: []\n");
  const std::map<std::string, std::string> expected = {{"model.position.kind", "sum"},
                                                       {"model.position.parts[0].kind", "rope"},
                                                       {"model.position.parts[0].scaling.kind", "linear"},
                                                       {"model.position.parts[0].scaling.factor", "2.0"},
                                                       {"model.position.parts[1].kind", "sum"},
                                                       {"model.position.parts[1].parts[0].kind", "none"},
                                                       {"other", "[]"}};
  EXPECT_EQ(flat, expected);
}

TEST(FlatSettings, HasOfALaterStageWhatItChanges) {
  const Plan plan = parse_plan(
      "name: a\nevaluate: {lengths: [64]}\nmodel: {position: {kind: rope}}\ntrain: {stages: [{length: 128, position: {scaling: "
      "{kind: linear}}}, {length: 64}]}",
      "c.yaml");
  std::map<std::string, std::string> later;
  for (const auto& [path, value] : flat_settings(plan.runs.back().yaml)) {
    if (path.starts_with("train.stages")) later[path] = value;
  }
  const std::map<std::string, std::string> expected = {{"train.stages[0].length", "128"},
                                                       {"train.stages[0].position.scaling.factor", "4.0"},
                                                       {"train.stages[0].position.scaling.kind", "linear"},
                                                       {"train.stages[1].length", "64"}};
  EXPECT_EQ(later, expected);
}

TEST(FlatSettings, RefusesWhatIsNotYaml) { EXPECT_THROW(flat_settings("a: [1, 2"), Error); }

}  // namespace
}  // namespace ropewalk::config
