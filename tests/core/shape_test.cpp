#include "framework/core/shape.hpp"

#include <gtest/gtest.h>

#include "tests/core/errors.hpp"

namespace ropewalk {
namespace {

TEST(ShapeSize, OfScalarsAndEmptyShapes) {
  EXPECT_EQ(size_of({}), 1);
  EXPECT_EQ(size_of({2, 3, 4}), 24);
  EXPECT_EQ(size_of({2, 0, 4}), 0);
}

TEST(ShapeStrides, AreRowMajor) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(contiguous_strides({}), Strides{});
}

TEST(ShapeText, NamesEveryExtent) {
  EXPECT_EQ(to_string(Shape{}), "[]");
  EXPECT_EQ(to_string(Shape{2, 0, 13}), "[2, 0, 13]");
}

TEST(Broadcast, FollowsNumPy) {
  EXPECT_EQ(broadcast_shape({2, 1, 5}, {4, 1}, "op"), (Shape{2, 4, 5}));
  EXPECT_EQ(broadcast_shape({}, {3}, "op"), (Shape{3}));
  EXPECT_EQ(broadcast_shape({0, 3}, {1, 3}, "op"), (Shape{0, 3}));
  EXPECT_EQ(broadcast_shape({1}, {0}, "op"), (Shape{0}));
  EXPECT_EQ(message([] {
              broadcast_shape({2, 3}, {2, 4}, "add");
            }),
            "add: shapes [2, 3] and [2, 4] do not broadcast: 3 against 4 on axis -1");
  EXPECT_EQ(message([] {
              broadcast_shape({0, 1}, {2, 1}, "add");
            }),
            "add: shapes [0, 1] and [2, 1] do not broadcast: 0 against 2 on axis -2");
}

TEST(Broadcast, StandsStillOnRepeatedAxes) {
  EXPECT_EQ(broadcast_strides({3, 1}, {7, 5}, {2, 3, 4}), (Strides{0, 7, 0}));
  EXPECT_EQ(broadcast_strides({}, {}, {2, 3}), (Strides{0, 0}));
}

TEST(Axis, CountsFromBothEnds) {
  EXPECT_EQ(normalize_axis(-1, 3, "op"), 2);
  EXPECT_EQ(normalize_axis(2, 3, "op"), 2);
  EXPECT_EQ(message([] { normalize_axis(3, 3, "sum"); }), "sum: axis 3 is outside a tensor of 3 axes");
  EXPECT_EQ(message([] { normalize_axis(-4, 3, "sum"); }), "sum: axis -4 is outside a tensor of 3 axes");
  EXPECT_EQ(message([] { normalize_axis(0, 0, "sum"); }), "sum: axis 0 is outside a tensor of 0 axes");
}

using Places = std::vector<std::array<Index, 2>>;

/// Where every element lies in both arrays, row-major, one index at a time.
Places naive_walk(const Shape& shape, const std::array<Strides, 2>& strides) {
  Places places;
  for (Index flat = 0; flat < size_of(shape); ++flat) {
    std::array<Index, 2> at{};
    Index rest = flat;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      for (std::size_t n = 0; n < 2; ++n) at[n] += rest % shape[axis] * strides[n][axis];
      rest /= shape[axis];
    }
    places.push_back(at);
  }
  return places;
}

struct Steps {
  Places places;
  int rows = 0;
};

Steps row_walk(const Shape& shape, const std::array<Strides, 2>& strides) {
  Steps walked;
  for_each_row<2>(shape, strides, [&](auto offsets, auto steps, Index count) {
    ++walked.rows;
    for (Index i = 0; i < count; ++i) walked.places.push_back({offsets[0] + i * steps[0], offsets[1] + i * steps[1]});
  });
  return walked;
}

struct WalkCase {
  const char* name;
  Shape shape;
  std::array<Strides, 2> strides;
  int rows;  ///< how often the callback runs: what merging neighbouring axes is for
};

const WalkCase walk_cases[] = {
    {"scalar", {}, {Strides{}, Strides{}}, 1},
    {"one axis", {5}, {Strides{1}, Strides{3}}, 1},
    {"contiguous", {2, 3, 4}, {Strides{12, 4, 1}, Strides{12, 4, 1}}, 1},
    {"gap in one array", {2, 3, 4}, {Strides{12, 4, 1}, Strides{24, 4, 1}}, 2},
    {"transposed", {3, 4}, {Strides{1, 3}, Strides{4, 1}}, 3},
    {"repeated rows", {2, 3, 4}, {Strides{0, 4, 1}, Strides{12, 4, 1}}, 2},
    {"repeated within", {2, 3, 4}, {Strides{4, 0, 1}, Strides{12, 4, 1}}, 6},
    {"one element repeated", {2, 3}, {Strides{0, 0}, Strides{3, 1}}, 1},
    {"axes of one with any stride", {1, 3, 1, 2, 1}, {Strides{99, 2, 77, 1, 55}, Strides{1, 2, 3, 1, 7}}, 1},
    {"only axes of one", {1, 1, 1}, {Strides{5, 6, 7}, Strides{8, 9, 1}}, 1},
    {"leading axis of one", {1, 4}, {Strides{13, 1}, Strides{4, 1}}, 1},
    {"reversed", {3, 4}, {Strides{-4, -1}, Strides{4, 1}}, 1},
    {"one axis reversed", {3, 4}, {Strides{-4, 1}, Strides{4, 1}}, 3},
    {"all axes permuted", {2, 3, 4, 5}, {Strides{1, 2, 6, 24}, Strides{60, 20, 5, 1}}, 24},
    {"empty in front", {0, 3}, {Strides{3, 1}, Strides{3, 1}}, 0},
    {"empty behind", {3, 0}, {Strides{0, 1}, Strides{0, 1}}, 0},
};

class Walk : public testing::TestWithParam<WalkCase> {};

TEST_P(Walk, VisitsWhatANaiveWalkVisits) {
  const WalkCase& c = GetParam();
  const Steps walked = row_walk(c.shape, c.strides);
  EXPECT_EQ(walked.places, naive_walk(c.shape, c.strides)) << c.name;
}

TEST_P(Walk, MergesWhatLiesTogether) {
  const WalkCase& c = GetParam();
  EXPECT_EQ(row_walk(c.shape, c.strides).rows, c.rows) << c.name;
}

INSTANTIATE_TEST_SUITE_P(Shapes, Walk, testing::ValuesIn(walk_cases));

}  // namespace
}  // namespace ropewalk
