#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

constexpr Index width = 2;
const positional::Context context{.width = width, .heads = 1, .length = 9, .marks = {{}, {0, 7}}};

/// The segment of every token, read off what is added to it.
std::vector<Index> segments(Index count, const std::vector<std::int32_t>& tokens, Index rows) {
  const auto scheme = toy::prepared("segment", {{"segments", count}}, context);
  const std::vector<double> table = toy::set_normal(*scheme, "table").values();
  EXPECT_EQ(static_cast<Index>(table.size()), count * width);
  const Tensor batch = Tensor::of(tokens, {rows, static_cast<Index>(tokens.size()) / rows});
  const Tensor nothing = Tensor::zeros({batch.dim(0), batch.dim(1), width}, Type::f64);
  const std::vector<double> added = scheme->embed(nothing, {batch, positional::contiguous(batch.dim(1)), nullptr}).values();
  std::vector<Index> found;
  for (auto at = added.begin(); at != added.end(); at += width) {
    Index row = 0;
    while (row < count && !std::equal(at, at + width, table.begin() + row * width)) ++row;
    found.push_back(row);
  }
  return found;
}

TEST(Segment, ASeparatorBelongsToThePartItEnds) {
  EXPECT_EQ(segments(3, {5, 0, 5, 5, 7, 5}, 1), (std::vector<Index>{0, 0, 1, 1, 1, 2}));
}

TEST(Segment, AfterTheLastComesTheFirstAgain) {
  EXPECT_EQ(segments(2, {5, 0, 0, 5, 7, 5, 0, 5, 5}, 1), (std::vector<Index>{0, 0, 1, 0, 0, 1, 1, 0, 0}));
}

TEST(Segment, EverySequenceStartsWithTheFirst) {
  EXPECT_EQ(segments(2, {5, 0, 5, 5, 5, 0}, 2), (std::vector<Index>{0, 0, 1, 0, 0, 0}));
}

TEST(Segment, ATaskThatMarksNoSeparatorsIsRefused) {
  EXPECT_EQ(toy::complaints(*toy::scheme("segment"), {.width = width, .heads = 1, .length = 8}),
            std::vector<std::string>{": tells the parts of a sequence apart, and this task marks no ends of parts"});
  EXPECT_TRUE(toy::complaints(*toy::scheme("segment"), context).empty());
}

}  // namespace
}  // namespace ropewalk
