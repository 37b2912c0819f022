#include "experiments/launch/division.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ropewalk {
namespace {

using testing::ElementsAre;

TEST(Division, OneShareARun) {
  const Division division = divide({false, false, false}, 1000);
  EXPECT_EQ(division.count, 3u);
  EXPECT_THAT(division.shares, ElementsAre(1, 2, 3));
}

TEST(Division, SharesOfRunsThatAreOverAreLeftOutAndTheOthersStayWhereTheyWere) {
  const Division division = divide({true, false, true, true, false}, 1000);
  EXPECT_EQ(division.count, 5u);
  EXPECT_THAT(division.shares, ElementsAre(2, 5));
}

TEST(Division, MoreRunsThanShares) {
  const Division division = divide({false, false, false, false, false, false, false}, 3);
  EXPECT_EQ(division.count, 3u);
  EXPECT_THAT(division.shares, ElementsAre(1, 2, 3));
  const Division rest = divide({true, true, false, true, true, false, true}, 3);
  EXPECT_EQ(rest.count, 3u);
  EXPECT_THAT(rest.shares, ElementsAre(3));
}

TEST(Division, NothingLeft) { EXPECT_THAT(divide({true, true}, 10).shares, ElementsAre()); }

TEST(ArrayIndices, AreWrittenAsRanges) {
  EXPECT_EQ(array_indices({}), "");
  EXPECT_EQ(array_indices({4}), "4");
  EXPECT_EQ(array_indices({1, 2, 3}), "1-3");
  EXPECT_EQ(array_indices({1, 2, 3, 7, 9, 10}), "1-3,7,9-10");
  EXPECT_EQ(array_indices({1, 3, 5}), "1,3,5");
}

}  // namespace
}  // namespace ropewalk
