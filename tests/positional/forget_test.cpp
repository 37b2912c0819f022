#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using toy::Heads;

double log_sigmoid(double x) { return -std::log1p(std::exp(-x)); }

AttentionTerms terms_of(const positional::Scheme& scheme, const Tensor& x) {
  AttentionTerms terms;
  scheme.effect(positional::contiguous(x.dim(1)), x.type())(terms, x);
  return terms;
}

/// Lin et al. 2025, equations 4 to 7.
TEST(Forget, BiasIsTheSumOfTheLogGatesAfterTheKeyUpToTheQuery) {
  const Heads heads{2, 7, 4};
  const auto scheme = toy::prepared("forget", {}, {.width = 8, .heads = 2, .length = 7});
  const std::vector<double> w = toy::set_normal(*scheme, "w").values(), b = toy::set_normal(*scheme, "b").values();
  const Tensor x = normal({1, 7, 8}, 1, Random(1).stream("x"), Type::f64);
  const std::vector<double> inputs = x.values();
  const auto gate = [&](std::size_t h, std::size_t l) {
    double sum = b[h];
    for (std::size_t c = 0; c < 8; ++c) sum += w[h * 8 + c] * inputs[l * 8 + c];
    return log_sigmoid(sum);
  };
  toy::expect_scores(heads, terms_of(*scheme, x), [&](Index h, Index i, Index j) {
    double sum = heads.product(h, i, j) / 2;
    for (Index l = j + 1; l <= i; ++l) sum += gate(static_cast<std::size_t>(h), static_cast<std::size_t>(l));
    return sum;
  });
}

// Summed up to the last of 65,536 tokens the logarithms are near −260,000, where floats are 1/32 apart; each bias is a difference
// of two such sums.
TEST(Forget, StrongGatesStayExactInLongSequencesInSinglePrecision) {
  constexpr Index keys = 65'536, queries = 24, width = 4, near = 200;
  const auto scheme = toy::scheme("forget");
  scheme->prepare({.width = width, .heads = 1, .length = keys}, Random(0), Type::f32);
  toy::symbol(*scheme, "w") = Tensor::of(std::vector<double>{1, 0, 0, 0}, {1, width});
  toy::symbol(*scheme, "b") = Tensor::of(std::vector<double>{-4}, {1});
  const Tensor x = normal({1, keys, width}, 1, Random(1).stream("x")), value = normal({1, keys, width}, 1, Random(2).stream("v"));
  const Tensor query = Tensor::zeros({1, queries, width}), key = Tensor::zeros({1, keys, width});
  const std::vector<double> output = attention(query, key, value, 1, terms_of(*scheme, x)).values();
  for (Index i = 0; i < queries; ++i) {
    const Index m = keys - queries + i;
    double bias = 0, total = 0;
    std::vector<double> expected(width);
    for (Index n = m; n > m - near; --n) {  // the gates leave nothing of the keys before
      const double weight = std::exp(bias);
      total += weight;
      for (Index c = 0; c < width; ++c) expected[static_cast<std::size_t>(c)] += weight * value.data<float>()[n * width + c];
      bias += log_sigmoid(static_cast<double>(x.data<float>()[n * width]) - 4);
    }
    ASSERT_LT(bias, -300);
    for (Index c = 0; c < width; ++c) {
      EXPECT_NEAR(output[static_cast<std::size_t>(i * width + c)], expected[static_cast<std::size_t>(c)] / total, 1e-5) << i;
    }
  }
}

TEST(Forget, AnEncoderIsRefused) {
  const auto found = toy::complaints(*toy::scheme("forget"), {.width = 8, .heads = 2, .length = 7, .causal = false});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].find(": has no bidirectional form"), 0u);
}

}  // namespace
}  // namespace ropewalk
