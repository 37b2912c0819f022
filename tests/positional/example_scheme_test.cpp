// The example of the README: its formula. What must hold for every scheme is tested by every_scheme_test.cpp and
// every_sampler_test.cpp, whose cases contain it.
#include "tests/positional/example_scheme.hpp"

#include "tests/positional/cases.hpp"
#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

const positional::Context context{.width = 8, .heads = 2, .length = 7};  // ALiBi's slopes are 2^−4 and 2^−8

positional::Hyperbola hyperbola(double scale) {
  positional::Hyperbola scheme;
  Fields fields;
  scheme.describe(fields);
  toy::assign(fields, "scale", scale);
  scheme.prepare(context, Random(0), Type::f64);
  return scheme;
}

TEST(ExampleScheme, IsItsFormulaAtEveryKindOfPositions) {
  const toy::Heads x{2, 7, 4};
  const std::vector<double> w{-1, 2};
  auto scheme = hyperbola(3);
  toy::set(scheme, "w", w);
  for (const positional::Positions& at : toy::kinds_of_positions) {
    toy::expect_scores(x, scheme, at, [&](Index h, Index i, Index j) {
      const double distance = at.at(0, i) - at.at(0, j),
                   slope = std::exp2(-4 * (h + 1)) * std::exp(w[static_cast<std::size_t>(h)]);
      return x.product(h, i, j) / 2 - slope * (std::sqrt(9 + distance * distance) - 3);
    });
  }
}

TEST(ExampleScheme, IsAlibiWhereItsScaleIsSmallAndNothingIsLearned) {
  const auto alibi = toy::prepared("alibi", {}, context);
  auto scheme = hyperbola(1e-9);
  toy::set(scheme, "w", {0, 0});
  EXPECT_LT(toy::distance(toy::dense_bias(scheme, 40), toy::dense_bias(*alibi, 40)), 1e-8);
}

TEST(ExampleScheme, IsAmongTheCasesOfEverySchemeButNotInTheRegistry) {
  const auto count = [](const auto& list, const auto& is_example) { return std::count_if(list.begin(), list.end(), is_example); };
  for (bool causal : {true, false}) {
    const auto example = [&](const toy::Case& one) { return one.kind == "hyperbola" && one.causal == causal; };
    EXPECT_EQ(count(toy::all_cases(), example), 3);  // as it comes, with another scale, with parameters for each layer
  }
  EXPECT_EQ(count(positional::schemes(), [](const auto& kind) { return kind.name == "hyperbola"; }), 0);
}

}  // namespace
}  // namespace ropewalk
