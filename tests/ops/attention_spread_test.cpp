// How attention spreads its weights: against the dense map, against what can be worked out by hand, and without a trace in the
// output.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "framework/core/parallel.hpp"
#include "framework/core/random.hpp"
#include "framework/ops/distance_bias.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "tests/ops/attention_rows.hpp"

namespace ropewalk {
namespace {

constexpr Index heads = 2, width = 4;

Tensor draw(const Shape& shape, const char* purpose, Type type = Type::f64) {
  return normal(shape, 1.0, Random(3).stream(purpose), type);
}

Tensor queries_keys_values(Index batch, Index length, Type type = Type::f64) {
  return draw({batch, length, 3 * heads * width}, "qkv", type);
}

/// Adds the product of the query and the key once more; the kernel cannot be given it.
class AgainTerm final : public ScoreTerm {
 public:
  bool has_fused() const override { return false; }
  Tensor dense(const DenseBlock& block, const Tensors&) const override {
    return scale(matmul(block.query, transpose(block.key)), block.scale);
  }
};

struct Problem {
  std::string name;
  AttentionTerms terms;
};

/// Every kind of terms in the kernel, and one that goes by slices.
std::vector<Problem> problems(Index length, Type type) {
  std::vector<Problem> all;
  const Tensor bias = draw({heads, 2 * length - 1}, "bias", type);
  for (const AttentionKind& kind : attention_kinds()) all.push_back({kind.name, terms_of(kind, length, width, bias, type)});
  for (const bool causal : {true, false}) {
    AttentionTerms terms;
    terms.causal = causal;
    terms.biases = {std::make_shared<AgainTerm>(), distance_bias(bias)};
    all.push_back({causal ? "slices" : "slices of an encoder", terms});
  }
  return all;
}

/// By plain loops, from weights [B, H, T, T].
AttentionSpread spread_of(const Tensor& weights) {
  const std::vector<double> w = weights.values();
  const Index length = weights.dim(3);
  std::vector<double> entropy, distance;
  for (Index row = 0; row < weights.dim(0) * weights.dim(1) * length; ++row) {
    double of_row = 0, away = 0;
    for (Index key = 0; key < length; ++key) {
      const double weight = w[static_cast<std::size_t>(row * length + key)];
      of_row -= weight > 0 ? weight * std::log(weight) : 0;
      away += weight * static_cast<double>(std::abs(row % length - key));
    }
    entropy.push_back(of_row);
    distance.push_back(away);
  }
  const Shape shape{weights.dim(0), weights.dim(1), length};
  return {Tensor::of(entropy, shape, Type::f64), Tensor::of(distance, shape, Type::f64)};
}

void expect_near(const Tensor& found, const Tensor& expected, double tolerance) {
  ASSERT_EQ(found.shape(), expected.shape());
  const std::vector<double> a = found.values(), b = expected.values();
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * std::max(1.0, b[i])) << "query " << i;
}

void expect_near(const AttentionSpread& found, const AttentionSpread& expected, double tolerance) {
  expect_near(found.entropy, expected.entropy, tolerance);
  expect_near(found.distance, expected.distance, tolerance);
}

TEST(AttentionSpread, IsThatOfTheDenseWeights) {
  for (const Index length : {Index{1}, Index{5}, Index{300}}) {
    const Tensor qkv = queries_keys_values(2, length);
    for (const Problem& problem : problems(length, Type::f64)) {
      SCOPED_TRACE(problem.name + " at " + std::to_string(length));
      expect_near(attention_with_spread(qkv, heads, problem.terms).spread,
                  spread_of(attention_map(qkv, heads, problem.terms).weights), 1e-12);
    }
  }
}

TEST(AttentionSpread, LeavesNoTraceInTheOutput) {
  for (const Type type : {Type::f32, Type::f64}) {
    for (const Index length : {Index{45}, Index{4500}}) {  // the longer one goes in pieces of queries
      const Tensor qkv = queries_keys_values(1, length, type);
      for (const Problem& problem : problems(length, type)) {
        if (length > 100 && (type == Type::f64 || problem.name.starts_with("slices"))) continue;
        EXPECT_EQ(attention_with_spread(qkv, heads, problem.terms).output.values(), attention(qkv, heads, problem.terms).values())
            << problem.name << " at " << length;
      }
    }
  }
}

TEST(AttentionSpread, OfSinglePrecisionIsCloseToThatOfDouble) {
  const Index length = 4500;
  const Tensor single = queries_keys_values(1, length, Type::f32), twice = convert(single, Type::f64);
  expect_near(attention_with_spread(single, heads, {}).spread, attention_with_spread(twice, heads, {}).spread, 1e-6);
}

TEST(AttentionSpread, OfEqualScoresIsThatOfAUniformChoice) {
  const Index length = 50;
  const Tensor qkv = Tensor::zeros({1, length, 3 * heads * width}, Type::f64);
  const AttentionSpread found = attention_with_spread(qkv, heads, {}).spread;
  for (Index i = 0; i < heads * length; ++i) {
    const double query = static_cast<double>(i % length);
    EXPECT_NEAR(found.entropy.data<double>()[i], std::log(query + 1), 1e-13);
    EXPECT_NEAR(found.distance.data<double>()[i], query / 2, 1e-13);
  }
}

// Weights that fall by a factor r with each token: −ln(1 − r) − r ln r / (1 − r) nats, r / (1 − r) tokens.
TEST(AttentionSpread, OfASteepPenaltyIsThatOfAGeometricSeries) {
  const Index length = 400;
  const double slope = 3, r = std::exp(-slope);
  std::vector<double> penalty;
  for (Index distance = 1 - length; distance < length; ++distance) penalty.push_back(slope * static_cast<double>(distance));
  AttentionTerms terms;
  terms.biases = {distance_bias(Tensor::of(penalty, {1, 2 * length - 1}, Type::f64))};  // by key − query
  const AttentionSpread found = attention_with_spread(Tensor::zeros({1, length, 3 * width}, Type::f64), 1, terms).spread;
  for (Index i = 20; i < length; ++i) {
    EXPECT_NEAR(found.entropy.data<double>()[i], -std::log(1 - r) + slope * r / (1 - r), 1e-12);
    EXPECT_NEAR(found.distance.data<double>()[i], r / (1 - r), 1e-12);
  }
}

/// Runs each piece on a thread of its own, the last first.
void on_threads(Index count, const std::function<void(Index)>& piece) {
  std::vector<std::thread> threads;
  for (Index i = count; i-- > 0;) threads.emplace_back([&piece, i] { piece(i); });
  for (std::thread& thread : threads) thread.join();
}

TEST(AttentionSpread, HasTheSameBitsWhenThreadsShareASequence) {
  const Index length = 9000;
  const Tensor qkv = draw({1, length, 3 * width}, "qkv", Type::f32);
  const AttentionSpread alone = attention_with_spread(qkv, 1, {}).spread;
  const ParallelScope scope(on_threads);
  const AttentionSpread shared = attention_with_spread(qkv, 1, {}).spread;
  EXPECT_EQ(shared.entropy.values(), alone.entropy.values());
  EXPECT_EQ(shared.distance.values(), alone.distance.values());
}

/// Most bytes of tensors at once.
double peak_of(const std::function<void()>& work) {
  const auto meter = std::make_shared<Meter>();
  const MeterScope scope(meter);
  work();
  return static_cast<double>(meter->peak());
}

TEST(AttentionSpread, TakesAFewNumbersAQueryBesideWhatAttentionTakes) {
  const Index length = 4096;
  const Tensor qkv = queries_keys_values(1, length, Type::f32);
  for (const bool slices : {false, true}) {
    AttentionTerms terms;
    if (slices) terms.biases = {std::make_shared<AgainTerm>()};
    const double without = peak_of([&] { attention(qkv, heads, terms); });
    const double with = peak_of([&] { attention_with_spread(qkv, heads, terms); });
    EXPECT_LT(with - without, 16.0 * sizeof(double) * heads * length) << "slices: " << slices;
  }
}

TEST(AttentionSpread, ANumberThatIsNoneShowsInItsQueryAlone) {
  const Index length = 40, broken = 17;
  const Tensor qkv = queries_keys_values(1, length);
  qkv.data<double>()[broken * 3 * heads * width] = NAN;  // of the first head
  const AttentionSpread found = attention_with_spread(qkv, heads, {}).spread;
  for (Index i = 0; i < heads * length; ++i) {
    EXPECT_EQ(std::isnan(found.entropy.data<double>()[i]), i == broken) << i;
    EXPECT_EQ(std::isnan(found.distance.data<double>()[i]), i == broken) << i;
  }
}

}  // namespace
}  // namespace ropewalk
