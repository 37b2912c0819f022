#include "experiments/config/experiment.hpp"

#include <gtest/gtest.h>

#include <string>

#include "experiments/config/plan.hpp"

namespace ropewalk::config {
namespace {

Plan plan_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return parse_plan("name: test\n" + text, "c.yaml", sets);
}

std::string errors_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    plan_of(text, sets);
  } catch (const ConfigErrors& errors) {
    return errors.what();
  }
  return "";
}

TEST(Experiment, ChangesNoRun) {
  const Plan plain = plan_of("sweep: {seeds: 2}");
  const Plan described = plan_of("sweep: {seeds: 2}\ntags: [a, 2024]\nnotes: |\n  two\n  lines");
  EXPECT_TRUE(plain.experiment.tags.empty());
  EXPECT_EQ(described.experiment.tags, (std::vector<std::string>{"a", "2024"}));
  EXPECT_EQ(described.experiment.notes, "two\nlines");
  ASSERT_EQ(described.runs.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(described.runs[i].id, plain.runs[i].id);
    EXPECT_EQ(described.runs[i].yaml, plain.runs[i].yaml);
  }
}

TEST(Experiment, CanBeSetLikeAnySetting) {
  const Plan plan = plan_of("tags: [a, b]", {"tags[1]=c", "notes=why"});
  EXPECT_EQ(plan.experiment.tags, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(plan.experiment.notes, "why");
}

TEST(Experiment, MistakesAreComplainedOfWithThoseOfTheRuns) {
  EXPECT_EQ(errors_of("tags: a\nnotes: [x]\nseed: -1"),
            "c.yaml:2:7: tags: expected a list of 0 to 64 texts, got a; did you mean [a]?\n"
            "c.yaml:3:8: notes: expected text, got a list\n"
            "c.yaml:4:7: seed: expected an integer >= 0, got -1");
  EXPECT_EQ(errors_of("note: x"),
            "c.yaml:2:1: note: expected a known setting (name, seed, task, model, train, evaluate, record, tags, notes, launch, "
            "sweep), "
            "got note; did you mean notes?");
}

TEST(Experiment, CannotBeSwept) {
  for (const char* path : {"tags", "tags[0]", "notes"}) {
    EXPECT_EQ(
        errors_of(std::string("sweep: {grid: {'") + path + "': [x, y]}}"),
        std::string("c.yaml:2:16: sweep.grid.") + path + ": expected a setting that changes what a run computes, got " + path);
  }
}

}  // namespace
}  // namespace ropewalk::config
