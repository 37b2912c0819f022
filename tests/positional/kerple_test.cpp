#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using toy::Heads;

const Heads x{3, 7, 4};
const positional::Context context{.width = 12, .heads = 3, .length = 7};

std::unique_ptr<positional::Scheme> kerple(const std::string& form, const std::vector<double>& p, const std::vector<double>& a) {
  auto scheme = toy::prepared("kerple", {{"form", form}}, context);
  toy::set(*scheme, "p", p);
  toy::set(*scheme, "a", a);
  return scheme;
}

/// Holds the scheme to −p ln(1 + a Δ), or to −a Δ^p (Chi et al. 2022, §4), at every kind of positions.
void expect_bias(const positional::Scheme& scheme, bool logs, const std::vector<double>& p, const std::vector<double>& a) {
  for (const positional::Positions& at : toy::kinds_of_positions) {
    toy::expect_scores(x, scheme, at, [&](Index h, Index i, Index j) {
      const double distance = std::abs(at.at(0, i) - at.at(0, j));
      const double ph = p[static_cast<std::size_t>(h)], ah = a[static_cast<std::size_t>(h)];
      return x.product(h, i, j) / 2 - (logs ? ph * std::log(1 + ah * distance) : ah * std::pow(distance, ph));
    });
  }
}

TEST(Kerple, LogarithmicForm) { expect_bias(*kerple("log", {0.5, 1, 3}, {0.1, 1, 7}), true, {0.5, 1, 3}, {0.1, 1, 7}); }

TEST(Kerple, PowerForm) { expect_bias(*kerple("power", {0.5, 1, 2}, {0.1, 1, 0.01}), false, {0.5, 1, 2}, {0.1, 1, 0.01}); }

TEST(Kerple, ParametersAreKeptWithinTheirBounds) {
  expect_bias(*kerple("log", {-1, 0, 3}, {1, 0.005, -2}), true, {0.01, 0.01, 3}, {1, 0.01, 0.01});
  expect_bias(*kerple("power", {-1, 2.5, 1}, {1, 0.02, -2}), false, {0.01, 2, 1}, {1, 0.02, 0.01});
}

TEST(Kerple, OutsideTheirBoundsParametersHaveNoGradient) {
  struct Start {
    const char* form;
    std::vector<double> p, a;
    std::vector<bool> p_moves, a_moves;
  };
  for (const Start& start : {Start{"log", {-1, 0.5, 3}, {1, 0.5, 0.001}, {false, true, true}, {true, true, false}},
                             Start{"power", {0.001, 0.5, 2.5}, {1, -0.5, 0.1}, {false, true, false}, {true, false, true}}}) {
    const auto scheme = kerple(start.form, start.p, start.a);
    const Tensors found = toy::attention_gradients(x, toy::terms_of(*scheme, {0, 1, 3, 4, 8, 30, 31}),
                                                   {toy::symbol(*scheme, "p"), toy::symbol(*scheme, "a")});
    for (std::size_t h = 0; h < 3; ++h) {
      EXPECT_EQ(found[0].values()[h] != 0, start.p_moves[h]) << start.form << " p of head " << h;
      EXPECT_EQ(found[1].values()[h] != 0, start.a_moves[h]) << start.form << " a of head " << h;
    }
  }
}

TEST(Kerple, StartsWithinItsBounds) {
  const auto scheme = toy::prepared("kerple", {}, {.width = 512, .heads = 256, .length = 8});
  for (const auto& [name, most] : {std::pair{"p", 2.0}, {"a", 1.0}}) {
    const std::vector<double> values = toy::symbol(*scheme, name).values();
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    EXPECT_GE(*low, 0.01);
    EXPECT_LT(*low, 0.1 * most);
    EXPECT_LE(*high, most);
    EXPECT_GT(*high, 0.9 * most);
  }
}

}  // namespace
}  // namespace ropewalk
