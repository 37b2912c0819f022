#include "experiments/config/resolved.hpp"

#include <gtest/gtest.h>

#include "experiments/config/plan.hpp"
#include "experiments/errors.hpp"
#include "framework/positional/scheme.hpp"

namespace ropewalk::config {
namespace {

TEST(Resolved, TextOfEverySchemeBecomesTheSameSettings) {
  for (const auto& kind : positional::schemes()) {
    SCOPED_TRACE(kind.name);
    const std::string config =
        fmt::format("name: toy\nmodel: {{width: 64, position: {{kind: {}}}}}\nevaluate: {{lengths: [64]}}\n", kind.name);
    const RunConfig run = parse_plan(config, "toy").runs.front();
    EXPECT_EQ(text_of(run.settings), run.yaml);
    EXPECT_EQ(text_of(settings_of(run.yaml)), run.yaml);
  }
}

TEST(Resolved, NothingIsFilledInOrCheckedAgainstTheRest) {
  Settings settings;
  settings.name = "toy";
  settings.model.heads = 3;  // does not divide the width
  EXPECT_EQ(settings.model.hidden, 0);
  const Settings found = settings_of(text_of(settings));
  EXPECT_EQ(found.model.heads, 3);
  EXPECT_EQ(found.model.hidden, 0);
}

TEST(Resolved, RefusesAnotherText) { EXPECT_THROW(settings_of("model: {depth: 2}"), UsageError); }

}  // namespace
}  // namespace ropewalk::config
