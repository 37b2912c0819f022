#include "experiments/report/groups.hpp"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

std::vector<ReportedRun> runs_with(const std::vector<Settings>& settings) {
  std::vector<ReportedRun> runs;
  for (const Settings& one : settings) runs.push_back({"", one, {}});
  return runs;
}

std::vector<std::string> labels_of(const std::vector<Settings>& settings) {
  const std::vector<ReportedRun> runs = runs_with(settings);
  std::vector<std::string> labels;
  for (const Group& group : group_runs(runs)) labels.push_back(group.label);
  return labels;
}

using Labels = std::vector<std::string>;
const std::string kKind = "model.position.kind", kBase = "model.position.base";

TEST(Groups, SeedsShareAGroup) {
  const std::vector<ReportedRun> runs =
      runs_with({{{"seed", "0"}, {kKind, "rope"}}, {{"seed", "1"}, {kKind, "rope"}}, {{kKind, "alibi"}}});
  const std::vector<Group> groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].runs.size(), 1u);
  EXPECT_EQ(groups[1].runs, (std::vector<const ReportedRun*>{&runs[0], &runs[1]}));
}

TEST(Groups, LabelsNameWhatDiffersAndSortNumbersBySize) {
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {kBase, "10000"}, {"model.layers", "2"}},
                       {{kKind, "rope"}, {kBase, "500"}, {"model.layers", "2"}},
                       {{kKind, "alibi"}, {"model.layers", "2"}}}),
            (Labels{"position alibi", "position rope, base 500", "position rope, base 10000"}));
}

TEST(Groups, ASettingThatOnlyOneKindHasIsNotNamed) {
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {kBase, "500"}}, {{kKind, "alibi"}}}), (Labels{"position alibi", "position rope"}));
}

TEST(Groups, ASettingThatOnlySomeHaveIsNamedIfNothingElseTellsThemApart) {
  EXPECT_EQ(labels_of({{{kKind, "rope"}, {kBase, "500"}}, {{kKind, "rope"}}}), (Labels{"", "base 500"}));
}

TEST(Groups, NamesGrowUntilTheyAreUnique) {
  EXPECT_EQ(labels_of({{{"model.position.base", "1"}, {"train.other.base", "3"}, {"base", "1"}},
                       {{"model.position.base", "2"}, {"train.other.base", "4"}, {"base", "2"}}}),
            (Labels{"base 1, position.base 1, other.base 3", "base 2, position.base 2, other.base 4"}));
}

TEST(Groups, ASingleGroupHasItsName) {
  EXPECT_EQ(labels_of({{{"name", "quickstart"}, {"seed", "0"}}, {{"name", "quickstart"}, {"seed", "1"}}}),
            (Labels{"quickstart"}));
  EXPECT_EQ(labels_of({{{"seed", "0"}}}), (Labels{"all runs"}));
}

TEST(Groups, DifferingSettings) {
  const Settings rope{{kKind, "rope"}, {kBase, "500"}, {"seed", "0"}}, alibi{{kKind, "alibi"}, {"seed", "1"}};
  EXPECT_EQ(differing_settings({&rope, &alibi}, Absence::ignored), (Labels{kKind}));
  EXPECT_EQ(differing_settings({&rope, &alibi}, Absence::counts_as_a_value), (Labels{kBase, kKind}));
  EXPECT_EQ(differing_settings({&rope}, Absence::counts_as_a_value), Labels{});
}

}  // namespace
}  // namespace ropewalk
