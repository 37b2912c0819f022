#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using toy::Heads;

std::unique_ptr<positional::Scheme> cope(Index max_position, const std::string& gates) {
  auto scheme = toy::prepared("cope", {{"max_position", max_position}, {"gates", gates}}, {.width = 8, .heads = 2, .length = 7});
  toy::set_normal(*scheme, "table");
  return scheme;
}

double between(const std::vector<double>& line, double place) {
  place = std::min(place, static_cast<double>(line.size() - 1));
  const auto below = static_cast<std::size_t>(place);
  const double share = place - static_cast<double>(below);
  return share == 0 ? line[below] : (1 - share) * line[below] + share * line[below + 1];
}

/// q_i·k_j/√d + q_i·e[p_ij], p_ij = Σ_{l=j..i} σ(q_i·k_l), Golovneva et al. 2024, equations 3 to 6, with the embedding of a real
/// position interpolated between whole ones and positions beyond the table at its end.
double score(const Heads& x, const std::vector<double>& table, bool scaled, Index h, Index i, Index j) {
  double place = 0;
  for (Index l = j; l <= i; ++l) place += 1 / (1 + std::exp(-x.product(h, i, l) * (scaled ? 0.5 : 1)));
  std::vector<double> met(table.size() / 4);  // q·e at whole positions
  for (std::size_t row = 0; row < met.size(); ++row) {
    for (Index c = 0; c < 4; ++c) met[row] += x.q(h, i, c) * table[row * 4 + static_cast<std::size_t>(c)];
  }
  return x.product(h, i, j) / 2 + between(met, place);
}

class Cope : public testing::TestWithParam<std::tuple<Index, const char*>> {};

TEST_P(Cope, ScoresAreThoseOfThePaper) {
  const auto [rows, gates] = GetParam();
  const Heads x{2, 7, 4};
  const auto scheme = cope(rows, gates);
  const std::vector<double> table = toy::symbol(*scheme, "table").values();
  ASSERT_EQ(toy::symbol(*scheme, "table").shape(), (Shape{rows, 4}));
  const AttentionTerms terms = toy::terms_of(*scheme, positional::contiguous(7));
  toy::expect_scores(x, terms, [&, scaled = gates == std::string("scaled")](Index h, Index i, Index j) {
    return score(x, table, scaled, h, i, j);
  });
}

// A table of 3 rows ends before the positions do, one of 16 does not.
INSTANTIATE_TEST_SUITE_P(Settings, Cope, testing::Combine(testing::Values(3, 16), testing::Values("dot", "scaled")),
                         [](const auto& info) {
                           return std::string(std::get<1>(info.param)) + "_" + std::to_string(std::get<0>(info.param));
                         });

// Keys orthogonal to the query open every gate by half, so that the key d tokens back is at (d + 1)/2.
TEST(CopePositions, CountHalfForEachGateThatIsHalfOpen) {
  const Heads x{2, 7, 4};
  x.clear(1);
  const auto scheme = cope(3, "dot");
  const std::vector<double> table = toy::symbol(*scheme, "table").values();
  toy::expect_scores(x, toy::terms_of(*scheme, positional::contiguous(7)), [&](Index h, Index i, Index j) {
    const double place = std::min(2.0, static_cast<double>(i - j + 1) / 2);
    double sum = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      sum += x.q(h, i, static_cast<Index>(c)) * between({table[c], table[4 + c], table[8 + c]}, place);
    }
    return sum;
  });
}

TEST(CopeComplaints, AnEncoderIsRefused) {
  EXPECT_EQ(
      toy::complaints(*toy::scheme("cope"), {.width = 8, .heads = 2, .length = 7, .causal = false}),
      std::vector<std::string>{": has no bidirectional form: what it does to a pair of tokens comes from the tokens between "
                               "them, in order; use model.kind decoder, or another scheme"});
}

}  // namespace
}  // namespace ropewalk
