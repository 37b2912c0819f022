#include "experiments/report/condition.hpp"

#include <gtest/gtest.h>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

const Settings kRope{{"model.position.kind", "rope"}, {"model.position.base", "500.0"}, {"task.corpus", "data/kjv.txt"}};

bool holds(const std::string& text) { return parse_condition(text).holds(kRope); }

std::string refusal(const std::string& text) {
  try {
    parse_condition(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Condition, NumbersBySize) {
  EXPECT_TRUE(holds("model.position.base = 5e2"));
  EXPECT_TRUE(holds("model.position.base==500"));
  EXPECT_TRUE(holds("model.position.base<=500"));
  EXPECT_TRUE(holds("model.position.base>=500"));
  EXPECT_TRUE(holds("model.position.base > 60")) << "as text it would be less";
  EXPECT_TRUE(holds("model.position.base<1000"));
  EXPECT_TRUE(holds("model.position.base!=501"));
  EXPECT_FALSE(holds("model.position.base!=500"));
  EXPECT_FALSE(holds("model.position.base<500"));
  EXPECT_FALSE(holds("model.position.base>500"));
}

TEST(Condition, TextByEqualityAlone) {
  EXPECT_TRUE(holds("model.position.kind=rope"));
  EXPECT_TRUE(holds("model.position.kind != alibi"));
  EXPECT_TRUE(holds("task.corpus=data/kjv.txt"));
  EXPECT_FALSE(holds("model.position.kind=alibi"));
  EXPECT_FALSE(holds("model.position.kind>3")) << "is no number";
}

TEST(Condition, AMissingSettingFulfilsNothing) {
  EXPECT_FALSE(holds("model.position.slopes=fixed"));
  EXPECT_FALSE(holds("model.position.slopes!=fixed"));
}

TEST(Condition, SaysWhatItExpected) {
  EXPECT_EQ(refusal("base"),
            "--where 'base': expected a setting, one of = != < <= > >=, and a value, such as model.position.base>1000");
  EXPECT_EQ(refusal(""), "--where '': expected a setting, one of = != < <= > >=, and a value, such as model.position.base>1000");
  EXPECT_EQ(refusal("a!b"), "--where 'a!b': expected one of = != < <= > >=, got '!'");
  EXPECT_EQ(refusal(">3"), "--where '>3': expected a setting before >");
  EXPECT_EQ(refusal("a<= "), "--where 'a<= ': expected a value after <=");
  EXPECT_EQ(refusal("a>b"), "--where 'a>b': expected a number after >, got 'b'");
}

TEST(Condition, UnknownSettingsAreToldTheNearest) {
  const std::vector<ReportedRun> runs{{"", kRope, {}, ""}};
  const auto refused = [&](const std::string& text) -> std::string {
    try {
      expect_known_settings({parse_condition(text)}, runs);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused("model.position.base=3"), "");
  EXPECT_EQ(
      refused("base=3"),
      "--where 'base=3': expected the whole path of a setting of these runs, got 'base'; did you mean model.position.base?");
  EXPECT_EQ(
      refused("model.position.bsae=3"),
      "--where 'model.position.bsae=3': expected the whole path of a setting of these runs, got 'model.position.bsae'; did you "
      "mean model.position.base?");
  EXPECT_EQ(
      refused("model.position=rope"),
      "--where 'model.position=rope': expected the whole path of a setting of these runs, got 'model.position'; did you mean "
      "model.position.kind?");
  EXPECT_EQ(
      refused("zzz=3"),
      "--where 'zzz=3': expected the whole path of a setting of these runs, got 'zzz'; `ropewalk list settings` has them all");
}

}  // namespace
}  // namespace ropewalk
