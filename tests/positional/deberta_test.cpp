#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using toy::Heads;

constexpr Index clip = 2;

/// δ(i, j), He et al. 2020, equation 3: a row of the table of 2·clip offsets.
std::size_t delta(Index i, Index j) {
  if (i - j <= -clip) return 0;
  if (i - j >= clip) return 2 * clip - 1;
  return static_cast<std::size_t>(i - j + clip);
}

/// Element `out` of a row of the table projected by a matrix [out, in].
double projected(const std::vector<double>& matrix, const std::vector<double>& table, std::size_t row, Index out) {
  double sum = 0;
  for (std::size_t e = 0; e < 8; ++e) sum += matrix[static_cast<std::size_t>(out) * 8 + e] * table[row * 8 + e];
  return sum;
}

/// Equation 4: content to content, content to position, position to content, over the root of three head widths.
TEST(Deberta, ScoresAreThoseOfThePaperBelowAtAndBeyondTheClip) {
  const Heads x{2, 7, 4};
  const auto scheme = toy::prepared("deberta", {{"clip", clip}}, {.width = 8, .heads = 2, .length = 7});
  const std::vector<double> table = toy::set_normal(*scheme, "table").values();
  const std::vector<double> W_q = toy::set_normal(*scheme, "W_q").values(), W_k = toy::set_normal(*scheme, "W_k").values();
  ASSERT_EQ(table.size(), 2 * clip * 8u);
  for (const std::vector<double>& at : {std::vector<double>{4, 5, 6, 7, 8, 9, 10}, std::vector<double>{0, 1, 3, 4, 8, 30, 31}}) {
    toy::expect_scores(x, *scheme, at, [&](Index h, Index i, Index j) {
      const auto m = static_cast<Index>(at[static_cast<std::size_t>(i)]), n = static_cast<Index>(at[static_cast<std::size_t>(j)]);
      double sum = 0;
      for (Index c = 0; c < 4; ++c) {
        sum += x.q(h, i, c) * x.k(h, j, c);
        sum += x.q(h, i, c) * projected(W_k, table, delta(m, n), h * 4 + c);
        sum += x.k(h, j, c) * projected(W_q, table, delta(n, m), h * 4 + c);
      }
      return sum / std::sqrt(3.0 * 4);
    });
  }
}

TEST(Deberta, OffsetsThatDoNotOccurHaveNoGradient) {
  const Heads x{2, 2, 4};
  const auto scheme = toy::prepared("deberta", {{"clip", Index{4}}}, {.width = 8, .heads = 2, .length = 2});
  const Tensor table = toy::set_normal(*scheme, "table");
  const std::vector<double> gradient =
      toy::attention_gradients(x, toy::terms_of(*scheme, positional::contiguous(2)), {table})[0].values();
  for (std::size_t row = 0; row < 8; ++row) {  // δ(m, n) − 4 is 0 or 1, δ(n, m) − 4 is 0 or −1
    const bool used = std::any_of(gradient.begin() + static_cast<Index>(row * 8),
                                  gradient.begin() + static_cast<Index>(row * 8 + 8), [](double slope) { return slope != 0; });
    EXPECT_EQ(used, row >= 3 && row <= 5) << "row " << row;
  }
}

}  // namespace
}  // namespace ropewalk
