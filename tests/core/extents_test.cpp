#include "framework/core/extents.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/core/errors.hpp"

namespace ropewalk {
namespace {

std::vector<Index> values(const Extents& extents) { return {extents.begin(), extents.end()}; }

TEST(Extents, HoldWhatTheyAreMadeOf) {
  EXPECT_EQ(values({}), (std::vector<Index>{}));
  EXPECT_EQ(values({4, 2}), (std::vector<Index>{4, 2}));
  EXPECT_EQ(values(Extents(3)), (std::vector<Index>{0, 0, 0}));
  EXPECT_EQ(values(Extents(2, 7)), (std::vector<Index>{7, 7}));
  const std::vector<unsigned long long> source{5, 6};
  EXPECT_EQ(values(Extents(source.begin(), source.end())), (std::vector<Index>{5, 6}));
}

TEST(Extents, GrowAndShrinkInPlace) {
  Extents extents{1, 2, 3};
  extents.insert(extents.begin() + 1, 9);
  EXPECT_EQ(values(extents), (std::vector<Index>{1, 9, 2, 3}));
  const Extents more{7, 8};
  extents.insert(extents.end(), more.begin(), more.end());
  EXPECT_EQ(values(extents), (std::vector<Index>{1, 9, 2, 3, 7, 8}));
  EXPECT_EQ(*extents.erase(extents.begin() + 1), 2);
  EXPECT_EQ(values(extents), (std::vector<Index>{1, 2, 3, 7, 8}));
  extents.erase(extents.begin() + 2, extents.end());
  extents.resize(4, 5);
  EXPECT_EQ(values(extents), (std::vector<Index>{1, 2, 5, 5}));
  extents.pop_back();
  EXPECT_EQ(extents.back(), 5);
}

TEST(Extents, CompareByLengthAndElements) {
  EXPECT_EQ((Extents{1, 2}), (Extents{1, 2}));
  EXPECT_NE((Extents{1, 2}), (Extents{1, 2, 3}));
  EXPECT_NE((Extents{1, 2}), (Extents{2, 1}));
  EXPECT_EQ(Extents{}, Extents(0));
}

TEST(Extents, SayWhenThereAreTooMany) {
  EXPECT_EQ(message([] { Extents(9); }), "expected at most 8 axes, got 9");
  Extents full(8);
  EXPECT_EQ(message([&] { full.insert(full.begin(), 1); }), "expected at most 8 axes, got 9");
  EXPECT_EQ(full.size(), 8u);
}

}  // namespace
}  // namespace ropewalk
