#include "framework/optimize/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ropewalk::optimize {
namespace {

Field& field(Fields& fields, const std::string& name) {
  for (Field& candidate : fields.all()) {
    if (candidate.name == name) return candidate;
  }
  throw Error("no setting " + name);
}

Choice<Schedule> schedule(const std::string& kind, std::int64_t warmup) {
  Choice<Schedule> choice(schedules(), kind);
  Fields fields = choice.fields();
  *std::get<std::int64_t*>(field(fields, "warmup").target) = warmup;
  return choice;
}

Choice<Schedule> schedule(const std::string& kind, std::int64_t warmup, double floor) {
  Choice<Schedule> choice = schedule(kind, warmup);
  Fields fields = choice.fields();
  *std::get<double*>(field(fields, "floor").target) = floor;
  return choice;
}

constexpr Index steps = 110;

TEST(Warmup, GrowsFromTheFirstStepAndEndsAtThePeak) {
  for (const char* kind : {"constant", "linear", "cosine"}) {
    const Choice<Schedule> choice = schedule(kind, 10);
    EXPECT_EQ((*choice).factor(0, steps), 0.1) << kind;
    EXPECT_EQ((*choice).factor(4, steps), 0.5) << kind;
    EXPECT_EQ((*choice).factor(9, steps), 1) << kind;
    EXPECT_EQ((*choice).factor(10, steps), 1) << kind;
  }
}

TEST(Warmup, OfNoStepsBeginsAtThePeak) {
  for (const char* kind : {"constant", "linear", "cosine"}) EXPECT_EQ(schedule(kind, 0)->factor(0, steps), 1) << kind;
}

TEST(Warmup, MayOutlastTheTraining) {
  for (const char* kind : {"constant", "linear", "cosine"}) EXPECT_EQ(schedule(kind, 100)->factor(49, 50), 0.5) << kind;
}

TEST(ConstantSchedule, StaysAtThePeak) {
  EXPECT_EQ(schedule("constant", 10)->factor(steps - 1, steps), 1);
  Choice<Schedule> choice = schedule("constant", 10);
  Fields fields = choice.fields();
  EXPECT_EQ(fields.all().size(), 1u) << "a floor would change nothing";
}

// 100 steps after the warm-up: a quarter of the way at step 35, the last at 99 hundredths.
TEST(LinearSchedule, FallsInAStraightLine) {
  EXPECT_DOUBLE_EQ(schedule("linear", 10)->factor(35, steps), 0.75);
  EXPECT_NEAR(schedule("linear", 10)->factor(109, steps), 0.01, 1e-15);
  EXPECT_DOUBLE_EQ(schedule("linear", 10, 0.2)->factor(35, steps), 0.2 + 0.8 * 0.75);
  EXPECT_NEAR(schedule("linear", 10, 0.2)->factor(109, steps), 0.208, 1e-15);
}

TEST(CosineSchedule, FallsByHalfACosine) {
  EXPECT_NEAR(schedule("cosine", 10)->factor(35, steps), 0.5 * (1 + std::sqrt(0.5)), 1e-15);
  EXPECT_NEAR(schedule("cosine", 10)->factor(60, steps), 0.5, 1e-15);
  EXPECT_NEAR(schedule("cosine", 10)->factor(109, steps), 2.4671981713e-4, 1e-12);  // (1 - cos(pi / 100)) / 2
  EXPECT_NEAR(schedule("cosine", 10, 0.1)->factor(60, steps), 0.55, 1e-15);
  EXPECT_NEAR(schedule("cosine", 10, 1)->factor(60, steps), 1, 1e-15);
}

}  // namespace
}  // namespace ropewalk::optimize
