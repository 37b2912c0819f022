#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using toy::Heads;

constexpr Index clip = 2;
const Heads x{2, 7, 4};
const positional::Context context{.width = 8, .heads = 2, .length = 7};

std::unique_ptr<positional::Scheme> shaw(bool values, Index clip_at = clip) {
  auto scheme = toy::prepared("shaw", {{"clip", clip_at}, {"values", values}}, context);
  for (const Parameter& parameter : scheme->parameters()) toy::set_normal(*scheme, parameter.name);
  return scheme;
}

/// Row c + clip(n − m) of the paper's tables, of whole positions.
std::size_t row(const positional::Positions& at, Index query, Index key) {
  const Index offset = std::llround(at.at(0, key) - at.at(0, query));
  return static_cast<std::size_t>(clip + std::clamp(offset, -clip, clip));
}

// Shaw, Uszkoreit, Vaswani 2018, equations 3 and 4.
TEST(Shaw, OffsetsHaveVectorsForKeysAndForValues) {
  const auto scheme = shaw(true);
  const std::vector<double> aK = toy::symbol(*scheme, "aK").values(), aV = toy::symbol(*scheme, "aV").values();
  ASSERT_EQ(toy::symbol(*scheme, "aK").shape(), (Shape{2 * clip + 1, 4}));
  ASSERT_EQ(toy::symbol(*scheme, "aV").shape(), (Shape{2 * clip + 1, 4}));
  for (const positional::Positions& at : {positional::contiguous(7), positional::Positions{0, 1, 3, 4, 8, 30, 31}}) {
    const auto element = [&](const std::vector<double>& table, Index i, Index j, Index c) {
      return table[4 * row(at, i, j) + static_cast<std::size_t>(c)];
    };
    const auto score = [&](Index h, Index i, Index j) {
      double sum = 0;
      for (Index c = 0; c < 4; ++c) sum += x.q(h, i, c) * (x.k(h, j, c) + element(aK, i, j, c));
      return sum / 2;
    };
    const auto value = [&](Index h, Index i, Index j, Index c) { return x.v(h, j, c) + element(aV, i, j, c); };
    AttentionTerms terms = toy::terms_of(*scheme, at);
    for (bool causal : {true, false}) {
      terms.causal = causal;
      toy::expect_scores(x, terms, score, value);
    }
  }
}

TEST(Shaw, WithoutValuesOnlyKeysAreMet) {
  const auto scheme = shaw(false);
  ASSERT_EQ(scheme->parameters().size(), 1u);
  const std::vector<double> aK = toy::symbol(*scheme, "aK").values();
  const positional::Positions at = positional::contiguous(7);
  toy::expect_scores(x, *scheme, at, [&](Index h, Index i, Index j) {
    double sum = 0;
    for (Index c = 0; c < 4; ++c) sum += x.q(h, i, c) * (x.k(h, j, c) + aK[4 * row(at, i, j) + static_cast<std::size_t>(c)]);
    return sum / 2;
  });
}

TEST(Shaw, ClippedAtZeroAllOffsetsShareOneVector) {
  const auto scheme = shaw(false, 0);
  const std::vector<double> aK = toy::symbol(*scheme, "aK").values();
  ASSERT_EQ(aK.size(), 4u);
  toy::expect_scores(x, *scheme, positional::contiguous(7), [&](Index h, Index i, Index j) {
    double sum = 0;
    for (Index c = 0; c < 4; ++c) sum += x.q(h, i, c) * (x.k(h, j, c) + aK[static_cast<std::size_t>(c)]);
    return sum / 2;
  });
}

/// Which rows [9] of a table have any gradient.
std::vector<bool> touched(const Tensor& gradient) {
  std::vector<bool> rows(9);
  const std::vector<double> values = gradient.values();
  for (std::size_t i = 0; i < values.size(); ++i) rows[i / 4] = rows[i / 4] || values[i] != 0;
  return rows;
}

TEST(Shaw, RowsOfOffsetsThatDoNotOccurHaveNoGradient) {
  const auto scheme = shaw(true, 4);
  const Heads three{2, 3, 4};
  AttentionTerms terms = toy::terms_of(*scheme, positional::contiguous(3));
  const Tensors leaves{toy::symbol(*scheme, "aK"), toy::symbol(*scheme, "aV")};
  const auto expect_touched = [&](const std::vector<bool>& rows) {
    for (const Tensor& gradient : toy::attention_gradients(three, terms, leaves)) EXPECT_EQ(touched(gradient), rows);
  };
  expect_touched({false, false, true, true, true, false, false, false, false});  // n − m = −2 … 0
  terms = toy::terms_of(*scheme, positional::contiguous(3));
  terms.causal = false;
  expect_touched({false, false, true, true, true, true, true, false, false});
}

}  // namespace
}  // namespace ropewalk
