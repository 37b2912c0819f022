#include "experiments/config/run_id.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "experiments/config/encode.hpp"
#include "experiments/config/plan.hpp"
#include "tests/config/toy.hpp"

namespace ropewalk::config {
namespace {

std::string id_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return parse_plan("name: test\n" + text, "c.yaml", sets).runs.at(0).id;
}

std::string slug_of(const std::string& text) {
  const std::string id = id_of(text);
  return id.substr(0, id.rfind('-'));
}

TEST(RunId, SlugNamesTheSchemeTheSeedAndWhatIsNotDefault) {
  EXPECT_EQ(slug_of("seed: 0"), "position-none-seed-0");
  EXPECT_EQ(slug_of("seed: 1\nmodel: {position: {kind: rope, base: 500}}"), "position-rope-base-500-seed-1");
  EXPECT_EQ(slug_of("model: {position: {kind: rope, base: 10000, layout: half, fraction: 0.5}}"),
            "position-rope-layout-half-fraction-0.5-seed-0");
  EXPECT_EQ(slug_of("train: {steps: 500, optimizer: {epsilon: 1e-6}, schedule: {kind: linear}}\nmodel: {kind: encoder}"),
            "position-none-seed-0-model-encoder-steps-500-epsilon-1e-06-schedule-linear");
}

TEST(RunId, SlugIsShortAndSafe) {
  const std::string slug = slug_of(
      "task: {corpus: 'a b/c'}\nmodel: {layers: 3, heads: 8, width: 128, hidden: 333, dropout: 0.125, norm: rms}\n"
      "train: {steps: 12345, batch: 17, length: 77}");
  EXPECT_LE(slug.size(), 80u);
  EXPECT_EQ(slug, "position-none-seed-0-layers-3-heads-8-width-128-hidden-333-norm-rms");
}

TEST(RunId, DependsOnEverySettingButTheName) {
  std::set<std::string> ids = {id_of("")};
  for (const char* set : {"seed=1", "task.corpus=other", "task.validation=0.2", "model.layers=1", "model.position.kind=alibi",
                          "train.steps=1999", "train.optimizer.rate=1e-3", "train.optimizer.betas=[0.9, 0.99]", "train.clip=0",
                          "evaluate.lengths=[64]", "evaluate.every=5", "record.every=1", "record.attention=true"}) {
    EXPECT_TRUE(ids.insert(id_of("", {set})).second) << set;
  }
  EXPECT_EQ(id_of("", {"name=other"}), id_of(""));
}

TEST(RunId, DoesNotDependOnHowTheConfigIsWritten) {
  const std::string id = id_of("seed: 1\nmodel: {layers: 1, position: {kind: rope, base: 500}}\n");
  EXPECT_EQ(id_of("model:\n  position: {base: 5e2, kind: rope, fraction: 1}\n  layers: 1\nseed: 1\ntrain: {steps: 2e3}\n"), id);
  const Plan swept = parse_plan(
      "name: sweep\nmodel: {layers: 1}\nsweep: {grid: {model.position: [{kind: none}, {kind: rope, base: 500}]}, seeds: 3}",
      "s.yaml");
  EXPECT_EQ(swept.runs[4].id, id);
  const Plan more = parse_plan(
      "name: more\nmodel: {layers: 1}\nsweep: {seeds: [1], grid: {train.clip: [1, 2], "
      "model.position: [{kind: rope, base: 500}, {kind: alibi}]}}",
      "s.yaml");
  EXPECT_EQ(more.runs[0].id, id);
}

// Ids name results that are not trained again, so a change of the rule orphans all of them. A new setting does so too, since the
// hash is of the whole config, but for the settings of this test.
TEST(RunId, TheRuleIsPinned) {
  toy::Settings settings, defaults;
  ASSERT_EQ(toy::errors_of("seed: 1\nmodel: {position: {kind: rope, base: 500}}\ntrain: {rate: 1e-8}", settings), "");
  Fields fields, default_fields;
  settings.describe(fields);
  defaults.describe(default_fields);
  EXPECT_EQ(run_id(encode(fields), default_fields), "position-rope-base-500-seed-1-rate-1e-08-045b9c470b");
}

std::string toy_slug_of(const std::string& position) {
  toy::Settings settings, defaults;
  EXPECT_EQ(toy::errors_of("seed: 1\nmodel: {position: " + position + "}", settings), "");
  Fields fields, default_fields;
  settings.describe(fields);
  defaults.describe(default_fields);
  const std::string id = run_id(encode(fields), default_fields);
  return id.substr(0, id.rfind('-'));
}

TEST(RunId, SlugNamesAKindInsideAKind) {
  EXPECT_EQ(toy_slug_of("{kind: rope, scaling: {kind: none}}"), "position-rope-seed-1");
  EXPECT_EQ(toy_slug_of("{kind: rope, base: 500, scaling: {kind: linear}}"), "position-rope-base-500-scaling-linear-seed-1");
  EXPECT_EQ(toy_slug_of("{kind: rope, scaling: {kind: linear, factor: 4, from: 64}}"),
            "position-rope-scaling-linear-factor-4-seed-1");
}

TEST(RunId, SlugNamesTheKindsOfAList) {
  EXPECT_EQ(toy_slug_of("{kind: sum}"), "position-sum-rope-alibi-seed-1");
  EXPECT_EQ(toy_slug_of("{kind: sum, parts: [{kind: alibi, slopes: learned}, {kind: rope, scaling: {kind: linear, from: 9}}]}"),
            "position-sum-alibi-slopes-learned-rope-scaling-linear-seed-1");
  EXPECT_EQ(toy_slug_of("{kind: sum, parts: [{kind: none}, {kind: sum, parts: [{kind: alibi}, {kind: none}]}]}"),
            "position-sum-none-sum-alibi-none-seed-1");
}

TEST(RunId, TheNameDefaultsToThatOfTheFile) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "ropewalk-study-7.yaml";
  std::ofstream(file) << "seed: 1\n";
  EXPECT_EQ(load_plan(file).name, "ropewalk-study-7");
  EXPECT_EQ(load_plan(file, {"name=given"}).name, "given");
  EXPECT_EQ(load_plan(file).runs[0].id, id_of("seed: 1"));
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace ropewalk::config
