#include "experiments/run/plan_share.hpp"

#include <gtest/gtest.h>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

TEST(PlanShare, TogetherTheyAreTheWholePlanAndNoRunIsInTwo) {
  for (std::size_t runs = 0; runs < 12; ++runs) {
    for (std::size_t count = 1; count < 15; ++count) {
      for (std::size_t position = 0; position < runs; ++position) {
        int holders = 0;
        for (std::size_t index = 1; index <= count; ++index) holders += PlanShare{index, count}.holds(position);
        EXPECT_EQ(holders, 1) << position << " of " << runs << " in " << count;
      }
    }
  }
}

TEST(PlanShare, IsStrided) {
  const PlanShare share = parse_plan_share("2/3");
  std::vector<std::size_t> held;
  for (std::size_t position = 0; position < 10; ++position) {
    if (share.holds(position)) held.push_back(position);
  }
  EXPECT_EQ(held, (std::vector<std::size_t>{1, 4, 7}));
}

TEST(PlanShare, WithoutOneItIsEverything) { EXPECT_TRUE(PlanShare().holds(0) && PlanShare().holds(1)); }

TEST(PlanShare, RefusesWhatIsNone) {
  for (const char* text : {"", "3", "/", "0/3", "4/3", "1/0", "1/", "/2", "-1/3", "1/3/5", " 1/3", "1/3x", "1.5/3",
                           "99999999999999999999999/99999999999999999999999"}) {
    SCOPED_TRACE(text);
    try {
      parse_plan_share(text);
      ADD_FAILURE() << "expected an error";
    } catch (const UsageError& error) {
      EXPECT_EQ(error.what(), std::string("--share: expected I/N with I from 1 to N, such as 3/10, got ") + text);
    }
  }
}

}  // namespace
}  // namespace ropewalk
