#include <complex>

#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using positional::contiguous;
using toy::Heads;

constexpr double base = 30;

std::unique_ptr<positional::Scheme> axial(const std::vector<Index>& grid) {
  return toy::prepared("axial_rope", {{"base", base}, {"grid", grid}}, {.width = 16, .heads = 2, .length = 6});
}

/// The first half of a head turns by the row, the second by the column, each as a head of half the width.
double score(const Heads& x, Index columns, Index h, Index i, Index j) {
  const Index half = x.width / 2;
  double sum = 0;
  for (Index c = 0; c < x.width; c += 2) {
    const bool by_row = c < half;
    const auto place = [&](Index token) { return static_cast<double>(by_row ? token / columns : token % columns); };
    const double theta = std::pow(base, -static_cast<double>(by_row ? c : c - half) / static_cast<double>(half));
    const auto q = std::complex(x.q(h, i, c), x.q(h, i, c + 1)) * std::polar(1.0, place(i) * theta);
    const auto k = std::complex(x.k(h, j, c), x.k(h, j, c + 1)) * std::polar(1.0, place(j) * theta);
    sum += (q * std::conj(k)).real();
  }
  return sum / std::sqrt(static_cast<double>(x.width));
}

TEST(AxialRope, HalfOfTheHeadTurnsByTheRowAndHalfByTheColumn) {
  const Heads x{2, 6, 8};
  for (const auto& [grid, columns] : {std::pair<std::vector<Index>, Index>{{2, 3}, 3}, {{3, 2}, 2}, {{6, 1}, 1}, {{}, 3}}) {
    toy::expect_scores(x, *axial(grid), contiguous(6),
                       [&, columns = columns](Index h, Index i, Index j) { return score(x, columns, h, i, j); });
  }
}

TEST(AxialRope, AnotherLengthIsAGridOfTheSameProportions) {
  const Heads x{2, 24, 8};
  toy::expect_scores(x, *axial({2, 3}), contiguous(24), [&](Index h, Index i, Index j) { return score(x, 6, h, i, j); });
}

TEST(AxialRope, AShiftByWholeRowsChangesNothingAShiftByATokenDoes) {
  const Heads x{2, 6, 8};
  const auto scheme = axial({2, 3});
  const auto output = [&](double first) { return attention(x.qkv, 2, toy::terms_of(*scheme, contiguous(6, first))); };
  EXPECT_LT(toy::distance(output(0), output(3)), 1e-12);
  EXPECT_LT(toy::distance(output(0), output(-6)), 1e-12);
  EXPECT_GT(toy::distance(output(0), output(1)), 1e-3);
}

TEST(AxialRopeComplaints, SayWhatWouldFit) {
  const auto about = [](const std::vector<Index>& grid, const positional::Context& context, const std::vector<Index>& lengths) {
    return toy::complaints(*toy::scheme("axial_rope", {{"grid", grid}}), context, lengths);
  };
  using Found = std::vector<std::string>;
  EXPECT_EQ(about({2, 3}, {.width = 16, .heads = 2, .length = 6}, {6, 24}), Found{});
  EXPECT_EQ(about({}, {.width = 12, .heads = 2, .length = 6}, {}),
            Found{": rotates pairs by rows and by columns: expected a head width that is a multiple of 4, got 6"});
  EXPECT_EQ(about({6}, {.width = 16, .heads = 2, .length = 6}, {}), Found{"grid: expected rows and columns, got one number"});
  EXPECT_EQ(about({2, 2}, {.width = 16, .heads = 2, .length = 6}, {}),
            Found{"grid: 2 rows of 2 columns are 4 patches: expected as many as the trained length 6"});
  EXPECT_EQ(about({2, 3}, {.width = 16, .heads = 2, .length = 6}, {12}),
            Found{"grid: length 12 is no grid with the proportions of 2 rows of 3 columns; lengths are 6 times a square"});
}

TEST(AxialRopeComplaints, PositionsOffTheGridAreRefused) {
  EXPECT_EQ(toy::complaints(*toy::scheme("axial_rope"), {.width = 16, .heads = 2, .length = 6, .reach = 106}),
            std::vector<std::string>{": a sequence is a whole grid, row by row: positions that training draws below 106 are not "
                                     "those of 6 patches; use model.positions contiguous"});
}

}  // namespace
}  // namespace ropewalk
