#include "framework/positional/grid.hpp"

#include <gtest/gtest.h>

namespace ropewalk::positional {
namespace {

using Faults = std::vector<std::string>;

TEST(Grid, TheSquarestHasTheMostRowsThatAreNotMoreThanColumns) {
  EXPECT_EQ(squarest_grid(1), (Grid{1, 1}));
  EXPECT_EQ(squarest_grid(7), (Grid{1, 7}));
  EXPECT_EQ(squarest_grid(12), (Grid{3, 4}));
  EXPECT_EQ(squarest_grid(16), (Grid{4, 4}));
  EXPECT_EQ(squarest_grid(30), (Grid{5, 6}));
}

TEST(Grid, OthersLikeItHaveItsProportions) {
  EXPECT_EQ(grid_like({2, 4}, 8), (Grid{2, 4}));
  EXPECT_EQ(grid_like({2, 4}, 32), (Grid{4, 8}));
  EXPECT_EQ(grid_like({2, 4}, 18), (Grid{3, 6}));
  EXPECT_EQ(grid_like({2, 4}, 2), (Grid{1, 2}));
  EXPECT_EQ(grid_like({3, 2}, 6'000'001), std::nullopt);
  EXPECT_EQ(grid_like({3, 2}, 6'000'000), (Grid{3000, 2000}));
  for (Index length : {0, 1, 7, 9, 16, 24}) EXPECT_EQ(grid_like({2, 4}, length), std::nullopt) << length;
}

TEST(Grid, IsTheSquarestUnlessSet) {
  EXPECT_EQ(trained_grid({}, 8), (Grid{2, 4}));
  EXPECT_EQ(trained_grid({8, 1}, 8), (Grid{8, 1}));
}

TEST(Grid, FaultsSayWhatWouldFit) {
  EXPECT_EQ(grid_faults({}, 8, {2, 8, 32}), Faults{});
  EXPECT_EQ(grid_faults({2, 3}, 8, {7}), Faults{"2 rows of 3 columns are 6 patches: expected as many as the trained length 8"});
  EXPECT_EQ(grid_faults({2, 4}, 8, {9, 8, 16}),
            (Faults{"length 9 is no grid with the proportions of 2 rows of 4 columns; lengths are 2 times a square",
                    "length 16 is no grid with the proportions of 2 rows of 4 columns; lengths are 2 times a square"}));
  EXPECT_EQ(grid_faults({}, 12, {24}),
            Faults{"length 24 is no grid with the proportions of 3 rows of 4 columns; lengths are 12 times a square"});
}

}  // namespace
}  // namespace ropewalk::positional
