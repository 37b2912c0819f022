#include "experiments/run/growth.hpp"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

double cost(double length) { return 3 * length + 0.25 * length * length; }

TEST(Growth, MeetsLinearAndQuadraticCostBetweenAndBeyondTwoLengths) {
  Growth growth;
  growth.add(16, cost(16));
  growth.add(64, cost(64));
  for (const Index length : {16, 40, 64, 65, 4096}) {
    EXPECT_NEAR(growth.at(length), cost(static_cast<double>(length)), 1e-9 * cost(4096)) << length;
  }
}

TEST(Growth, FollowsTheNeighboursWhereThereAreMore) {
  Growth growth;  // 1, 3, 3 and 9 a token
  growth.add(10, 10);
  growth.add(20, 60);
  growth.add(40, 120);
  growth.add(50, 450);
  EXPECT_DOUBLE_EQ(growth.at(15), 15 * 2);
  EXPECT_DOUBLE_EQ(growth.at(30), 30 * 3);
  EXPECT_DOUBLE_EQ(growth.at(60), 60 * 15);
}

TEST(Growth, IsProportionalBelowWhatIsKnownAndAtASingleLength) {
  Growth growth;
  EXPECT_EQ(growth.at(100), 0) << "nothing is known";
  growth.add(10, 50);
  EXPECT_DOUBLE_EQ(growth.at(4), 20);
  EXPECT_DOUBLE_EQ(growth.at(100), 500);
  growth.add(20, 80);
  EXPECT_DOUBLE_EQ(growth.at(4), 20);
  EXPECT_DOUBLE_EQ(growth.at(40), 160) << "a token does not get cheaper beyond";
}

}  // namespace
}  // namespace ropewalk
