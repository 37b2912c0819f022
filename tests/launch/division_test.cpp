#include "experiments/launch/division.hpp"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

using Shares = std::vector<std::size_t>;

TEST(Division, OneShareARun) {
  const Division division = divide({true, true, true}, 1000);
  EXPECT_EQ(division.count, 3u);
  EXPECT_EQ(division.shares, (Shares{1, 2, 3}));
}

TEST(Division, SharesOfRunsThatAreOverAreLeftOutAndTheOthersStayWhereTheyWere) {
  const Division division = divide({false, true, false, false, true}, 1000);
  EXPECT_EQ(division.count, 5u);
  EXPECT_EQ(division.shares, (Shares{2, 5}));
}

TEST(Division, MoreRunsThanShares) {
  const Division division = divide({true, true, true, true, true, true, true}, 3);
  EXPECT_EQ(division.count, 3u);
  EXPECT_EQ(division.shares, (Shares{1, 2, 3}));
  const Division rest = divide({false, false, true, false, false, true, false}, 3);
  EXPECT_EQ(rest.count, 3u);
  EXPECT_EQ(rest.shares, (Shares{3}));
}

TEST(Division, NothingLeft) { EXPECT_EQ(divide({false, false}, 10).shares, (Shares{})); }

TEST(ArrayIndices, AreWrittenAsRanges) {
  EXPECT_EQ(array_indices({}), "");
  EXPECT_EQ(array_indices({4}), "4");
  EXPECT_EQ(array_indices({1, 2, 3}), "1-3");
  EXPECT_EQ(array_indices({1, 2, 3, 7, 9, 10}), "1-3,7,9-10");
  EXPECT_EQ(array_indices({1, 3, 5}), "1,3,5");
}

}  // namespace
}  // namespace ropewalk
