#include "experiments/record/run_filter.hpp"

#include <gtest/gtest.h>

#include "tests/record/sample.hpp"

namespace ropewalk {
namespace {

TEST(RunFilter, WithoutPatternsAndTagsAcceptsEverything) {
  EXPECT_TRUE(RunFilter().accepts("rope-1"));
  EXPECT_TRUE(RunFilter().accepts("rope-1", {"a"}));
}

TEST(RunFilter, APatternIsForTheWholeIdAndAnyOfThemWillDo) {
  const RunFilter filter{.only = {"*rope*", "alibi-?"}, .tags = {}};
  EXPECT_TRUE(filter.accepts("position-rope-1"));
  EXPECT_TRUE(filter.accepts("alibi-1"));
  EXPECT_FALSE(filter.accepts("alibi-12"));
  EXPECT_FALSE(RunFilter({.only = {"rope"}, .tags = {}}).accepts("rope-1"));
  EXPECT_TRUE(RunFilter({.only = {"[ab]*"}, .tags = {}}).accepts("b-1"));
}

TEST(RunFilter, EveryTagHasToBeThere) {
  const RunFilter filter{.only = {}, .tags = {"a", "b"}};
  EXPECT_TRUE(filter.accepts("x", {"c", "b", "a"}));
  EXPECT_FALSE(filter.accepts("x", {"a"}));
  EXPECT_FALSE(RunFilter({.only = {"y"}, .tags = {"a"}}).accepts("x", {"a"}));
}

TEST(RunFilter, APatternThatMatchesNothingNamesTheNearestIds) {
  const std::vector<std::string> ids{"position-alibi-1", "position-none-1", "position-rope-2", "position-t5-1",
                                     "position-rope-1"};
  EXPECT_NO_THROW(expect_matches({.only = {"*rope*", "*none*"}, .tags = {}}, ids));
  EXPECT_EQ(message_of<UsageError>([&] {
              expect_matches({.only = {"*none*", "*-roep-*"}, .tags = {}}, ids);
            }),
            "--only *-roep-*: expected a pattern that matches the whole id of one of 5 runs, as '*rope*' does; nearest: "
            "position-rope-2, position-rope-1, position-none-1");
  EXPECT_EQ(message_of<UsageError>([&] { expect_matches({.only = {"x"}, .tags = {}}, {}); }),
            "--only x: expected a pattern that matches the whole id of a run, and there are no runs");
}

}  // namespace
}  // namespace ropewalk
