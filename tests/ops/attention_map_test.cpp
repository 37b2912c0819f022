// The maps of attention against attention itself, beyond what one slice of queries holds.
#include <gtest/gtest.h>

#include <cmath>

#include "framework/core/random.hpp"
#include "framework/ops/attention.hpp"
#include "framework/ops/distance_bias.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"

namespace ropewalk {
namespace {

constexpr Index heads = 2, length = 800, width = 3;  // more scores than a slice takes

/// Adds the product of the query and the key once more.
class AgainTerm final : public ScoreTerm {
 public:
  bool reads_content() const override { return true; }
  bool has_fused() const override { return false; }
  Tensor dense(const DenseBlock& block, const Tensors&) const override {
    return scale(matmul(block.query, transpose(block.key)), block.scale);
  }
};

Tensor random(const Shape& shape, const char* purpose) { return normal(shape, 1.0, Random(3).stream(purpose), Type::f64); }

/// [H, T, T] of the only sequence.
double at(const std::vector<double>& map, Index head, Index query, Index key) {
  return map[static_cast<std::size_t>((head * length + query) * length + key)];
}

class AttentionMaps : public testing::TestWithParam<bool> {
 protected:
  AttentionMaps() { terms_.causal = GetParam(); }
  bool hidden(Index query, Index key) const { return terms_.causal && key > query; }

  AttentionTerms terms_;
  const Tensor qkv_ = random({1, length, 3 * heads* width}, "qkv");
  const Tensor table_ = random({heads, 2 * length - 1}, "bias");
};

TEST_P(AttentionMaps, WeightsTimesValuesAreAttention) {
  terms_.biases = {distance_bias(table_), std::make_shared<AgainTerm>()};
  const AttentionMap map = attention_map(qkv_, heads, terms_);
  const Tensor values =
      permute(reshape(slice(qkv_, 2, 2 * heads * width, 3 * heads * width), {1, length, heads, width}), {0, 2, 1, 3});
  const Tensor mixed = reshape(permute(matmul(map.weights, packed(values)), {0, 2, 1, 3}), {1, length, heads * width});
  const std::vector<double> found = mixed.values(), expected = attention(qkv_, heads, terms_).values();
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-12) << i;
}

TEST_P(AttentionMaps, ScoresAreTheProductAndAllThatIsAdded) {
  terms_.biases = {distance_bias(table_), std::make_shared<AgainTerm>()};
  const std::vector<double> scores = attention_map(qkv_, heads, terms_).scores.values(), qkv = qkv_.values(),
                            table = table_.values();
  for (Index head = 0; head < heads; ++head) {
    for (Index query = 0; query < length; query += 7) {
      for (Index key = 0; key < length; key += 3) {
        double product = 0;
        for (Index j = 0; j < width; ++j) {
          product += qkv[static_cast<std::size_t>(query * 3 * heads * width + head * width + j)] *
                     qkv[static_cast<std::size_t>(key * 3 * heads * width + heads * width + head * width + j)];
        }
        const double bias = table[static_cast<std::size_t>(head * (2 * length - 1) + key - query + length - 1)];
        const double expected = hidden(query, key) ? 0 : 2 * product / std::sqrt(3.0) + bias;
        ASSERT_NEAR(at(scores, head, query, key), expected, 1e-12) << query << " " << key;
      }
    }
  }
}

TEST_P(AttentionMaps, BiasLeavesOutWhatReadsContent) {
  terms_.biases = {std::make_shared<AgainTerm>(), distance_bias(table_), distance_bias(table_)};
  const std::vector<double> bias = attention_map(qkv_, heads, terms_).bias.values(), table = table_.values();
  for (Index head = 0; head < heads; ++head) {
    for (Index query = 0; query < length; query += 7) {
      for (Index key = 0; key < length; ++key) {
        const double once = table[static_cast<std::size_t>(head * (2 * length - 1) + key - query + length - 1)];
        ASSERT_EQ(at(bias, head, query, key), hidden(query, key) ? 0 : 2 * once) << query << " " << key;
      }
    }
  }
}

TEST_P(AttentionMaps, NoBiasIsUndefined) {
  EXPECT_FALSE(attention_map(qkv_, heads, terms_).bias.defined());
  terms_.biases = {std::make_shared<AgainTerm>()};
  EXPECT_FALSE(attention_map(qkv_, heads, terms_).bias.defined());
}

INSTANTIATE_TEST_SUITE_P(Masks, AttentionMaps, testing::Bool(),
                         [](const auto& info) { return info.param ? "decoder" : "encoder"; });

TEST(AttentionMap, RefusesWhatDoesNotSplit) { EXPECT_THROW(attention_map(Tensor::zeros({1, 4, 10}), 2, {}), Error); }

}  // namespace
}  // namespace ropewalk
