#include "framework/positional/abacus.hpp"

#include <set>

#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using positional::digit_places;
using positional::Draws;

constexpr Index width = 2, trained = 4, max_offset = 3;
const std::vector<std::int32_t> digits{1, 2, 3};
const positional::Context context{.width = width, .heads = 1, .length = trained, .marks = {digits, {}}};

Tensor tokens(const std::vector<std::int32_t>& values, Index rows = 1) {
  return Tensor::of(values, {rows, static_cast<Index>(values.size()) / rows});
}

std::unique_ptr<positional::Scheme> abacus() {
  auto scheme = toy::prepared("abacus", {{"max_offset", max_offset}}, context);
  toy::set_normal(*scheme, "table");
  return scheme;
}

std::vector<double> added(const positional::Scheme& scheme, const Tensor& tokens, const Draws* draws = nullptr) {
  const Tensor nothing = Tensor::zeros({tokens.dim(0), tokens.dim(1), width}, Type::f64);
  return scheme.embed(nothing, {tokens, positional::contiguous(tokens.dim(1)), draws}).values();
}

/// The table's rows of some places, zeros for −1.
std::vector<double> rows_of(positional::Scheme& scheme, const std::vector<Index>& places) {
  const std::vector<double> table = toy::symbol(scheme, "table").values();
  std::vector<double> result;
  for (Index place : places) {
    for (Index c = 0; c < width; ++c) result.push_back(place < 0 ? 0 : table[static_cast<std::size_t>(place * width + c)]);
  }
  return result;
}

TEST(Abacus, PlacesCountFromTheStartOfEachNumber) {
  EXPECT_EQ(digit_places(tokens({1, 2, 0, 3, 3, 3, 9, 9, 1}), digits).values(),
            (std::vector<double>{0, 1, -1, 0, 1, 2, -1, -1, 0}));
  // A number does not go on in the next sequence.
  EXPECT_EQ(digit_places(tokens({0, 1, 2, 3, 1, 0}, 2), digits).values(), (std::vector<double>{-1, 0, 1, 0, 1, -1}));
}

TEST(Abacus, DigitsGetTheRowOfTheirPlaceOthersNothing) {
  const auto scheme = abacus();
  EXPECT_EQ(toy::symbol(*scheme, "table").shape(), (Shape{max_offset + trained, width}));
  EXPECT_EQ(added(*scheme, tokens({1, 2, 0, 3, 9})), rows_of(*scheme, {0, 1, -1, 0, -1}));
}

TEST(Abacus, PlacesBeyondTheTableShareItsLastRow) {
  const auto scheme = abacus();
  EXPECT_EQ(added(*scheme, tokens({1, 1, 1, 1, 1, 1, 1, 1, 1})), rows_of(*scheme, {0, 1, 2, 3, 4, 5, 6, 6, 6}));
}

TEST(Abacus, ATrainingSequenceCountsFromOneRandomPlace) {
  const auto scheme = abacus();
  std::set<Index> seen;
  for (std::uint64_t step = 0; step < 60; ++step) {
    const Draws draws{Random(1), step, 0, true};
    const std::vector<double> found = added(*scheme, tokens({1, 2, 0, 3}), &draws);
    Index offset = 0;
    while (offset <= max_offset && found != rows_of(*scheme, {offset, offset + 1, -1, offset})) ++offset;
    ASSERT_LE(offset, max_offset);
    seen.insert(offset);
  }
  EXPECT_EQ(seen, (std::set<Index>{0, 1, 2, 3}));
}

TEST(Abacus, AnEvaluationCountsFromZeroEvenIfItDraws) {
  const auto scheme = abacus();
  for (std::uint64_t step = 0; step < 10; ++step) {
    const Draws draws{Random(1), step, 0, false};
    EXPECT_EQ(added(*scheme, tokens({1, 2, 0, 3}), &draws), rows_of(*scheme, {0, 1, -1, 0}));
  }
}

TEST(Abacus, WhatASequenceDrawsDoesNotDependOnThePassItIsIn) {
  const auto scheme = abacus();
  const std::vector<std::int32_t> four{1, 2, 1, 2, 1, 2, 1, 2};
  const Draws all{Random(1), 5, 0, true}, second_half{Random(1), 5, 2, true};
  const std::vector<double> whole = added(*scheme, tokens(four, 4), &all),
                            part = added(*scheme, tokens({1, 2, 1, 2}, 2), &second_half);
  EXPECT_EQ(std::vector<double>(whole.begin() + 8, whole.end()), part);
}

TEST(Abacus, ATaskThatMarksNoDigitsIsRefused) {
  EXPECT_EQ(toy::complaints(*toy::scheme("abacus"), {.width = width, .heads = 1, .length = trained}),
            std::vector<std::string>{": numbers the digits of a number, and this task marks no digits"});
  EXPECT_TRUE(toy::complaints(*toy::scheme("abacus"), context).empty());
}

}  // namespace
}  // namespace ropewalk
