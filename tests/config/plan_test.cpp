#include "experiments/config/plan.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "experiments/config/complaints.hpp"

namespace ropewalk::config {
namespace {

void expect_same_runs(const Plan& plan, const Plan& other) {
  EXPECT_EQ(plan.name, other.name);
  ASSERT_EQ(plan.runs.size(), other.runs.size());
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    EXPECT_EQ(plan.runs[i].id, other.runs[i].id);
    EXPECT_EQ(plan.runs[i].yaml, other.runs[i].yaml);
  }
}

// Whatever YAML can express in more than one way: quotes, numbers, empty maps, keys with brackets, values on many lines.
TEST(PlanYaml, MakesTheSamePlan) {
  for (const std::string text : {
           "name: plain",
           "name: '1e3'\nseed: 7\ntask: {kind: text, corpus: \"a b: 'c' # d\\\\\\\"\\x41.txt\"}",
           "name: \"yes\"\ntask: {kind: text, corpus: 'true'}",
           "name: axes\ntrain: {optimizer: {kind: adamw, betas: [0.8, 0.9]}}\nsweep:\n  grid:\n    train.optimizer.betas[0]: "
           "[0.9, 0.95]\n    model.position:\n"
           "      - {kind: rope, base: 1.0e+3}\n      - {kind: sum, parts: [{kind: sinusoidal}, {kind: alibi}]}\n"
           "  zip: {train.steps: [100, 200], train.batch: [4, 8]}\n  seeds: [3, 1]",
           "name: one\nmodel: {layers: 2}\ntrain:\n  optimizer:\n    betas:\n    - 0.8\n    - 0.9\nsweep: {grid: {}, zip: {}, "
           "seeds: 2}",
       }) {
    SCOPED_TRACE(text);
    const Plan plan = parse_plan(text, "first");
    const Plan again = parse_plan(plan.yaml, "again");
    expect_same_runs(again, plan);
    EXPECT_EQ(again.yaml, plan.yaml);
  }
}

TEST(PlanYaml, HasWhatWasExtendedAndSetAndTheNameOfTheFile) {
  const auto directory = std::filesystem::path(::testing::TempDir()) / "ropewalk-plan-yaml";
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "base.yaml") << "seed: 4\ntrain: {steps: 300}\nsweep: {grid: {train.length: [16, 32]}}";
  std::ofstream(directory / "mine.yaml") << "extends: base.yaml\nmodel: {width: 16, heads: 2}";
  const Plan plan = load_plan(directory / "mine.yaml", {"train.steps=500", "sweep.grid.train.length=[8, 16, 24]"});
  std::filesystem::remove_all(directory);
  const Plan again = parse_plan(plan.yaml, "again");
  EXPECT_EQ(again.name, "mine");
  ASSERT_EQ(again.runs.size(), 3u);
  EXPECT_EQ(again.runs[0].settings.train.steps, 500);
  EXPECT_EQ(again.runs[0].settings.seed, 4);
  expect_same_runs(again, plan);
}

}  // namespace
}  // namespace ropewalk::config
