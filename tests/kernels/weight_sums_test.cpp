// Sums of softmax weights, against plain loops in long double.
#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {
namespace {

constexpr Index kQueries = 45, kKeys = 300;  // neither whole vectors nor whole blocks of keys

struct Arrays {
  std::vector<double> maximum = std::vector<double>(kQueries, -INFINITY), weight = std::vector<double>(kQueries), score = weight,
                      distance = weight;

  WeightSums get() { return {maximum.data(), weight.data(), score.data(), distance.data()}; }
};

/// Which keys a query sees.
struct Sight {
  Index lag;
  bool causal;
};

const std::vector<Sight> kSights{{kKeys - kQueries, true}, {0, true}, {-20, true}, {3, false}};

/// What the sums come to.
struct Spread {
  std::vector<Real> entropy, distance;
};

Spread spread_of(const Arrays& sums) {
  Spread spread;
  for (std::size_t i = 0; i < kQueries; ++i) {
    spread.entropy.push_back(std::log(sums.weight[i]) - sums.score[i] / sums.weight[i]);
    spread.distance.push_back(sums.distance[i] / sums.weight[i]);
  }
  return spread;
}

/// Of scores [kKeys, kQueries]; NaN for a query that sees no key.
template <class T>
Spread naive(const std::vector<T>& scores, const Sight& sight) {
  Spread spread;
  for (Index i = 0; i < kQueries; ++i) {
    std::vector<Real> e(kKeys);
    Real largest = -INFINITY, total = 0, entropy = 0, distance = 0;
    const auto hidden = [&](Index j) { return sight.causal && j > i + sight.lag; };
    const auto at = [&](Index j) { return static_cast<Real>(scores[static_cast<std::size_t>(j * kQueries + i)]); };
    for (Index j = 0; j < kKeys; ++j) largest = hidden(j) ? largest : std::max(largest, at(j));
    for (Index j = 0; j < kKeys; ++j) total += e[static_cast<std::size_t>(j)] = hidden(j) ? 0 : std::exp(at(j) - largest);
    for (Index j = 0; j < kKeys; ++j) {
      const Real w = e[static_cast<std::size_t>(j)] / total;
      entropy -= w > 0 ? w * std::log(w) : 0;
      distance += w * static_cast<Real>(std::abs(i + sight.lag - j));
    }
    spread.entropy.push_back(total == 0 ? NAN : entropy);
    spread.distance.push_back(total == 0 ? NAN : distance);
  }
  return spread;
}

template <class T>
class WeightSumsTest : public ::testing::Test {};
TYPED_TEST_SUITE(WeightSumsTest, ElementTypes);

TYPED_TEST(WeightSumsTest, AreThoseOfPlainLoopsHoweverTheScoresAreCut) {
  using T = TypeParam;
  const std::vector<T> scores = normal_values<T>(kQueries * kKeys, 1, /*scale=*/4);
  for_every_table<T>([&](const Table<T>& kernels) {
    for (const Sight& sight : kSights) {
      for (Index step : {kKeys, Index{128}, Index{7}}) {
        SCOPED_TRACE("lag " + std::to_string(sight.lag) + ", " + std::to_string(step) + " keys at a time");
        Arrays sums;
        for (Index key = 0; key < kKeys; key += step) {
          for (const Range queries : {Range{0, 32}, Range{32, kQueries}}) {
            kernels.sum_weights(queries, {key, std::min(key + step, kKeys)}, sight.lag, sight.causal,
                                scores.data() + key * kQueries + queries.begin, kQueries, sums.get());
          }
        }
        const Spread found = spread_of(sums), expected = naive(scores, sight);
        expect_close(found.entropy, expected.entropy, 2 * kTolerance<T>, "entropy");
        expect_close(found.distance, expected.distance, 2 * kTolerance<T>, "distance");
      }
    }
  });
}

// Scores that are far apart, or no numbers: one block after the other, each query on its own.
TYPED_TEST(WeightSumsTest, ExtremesShowInTheirOwnQueryAlone) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const std::vector<std::vector<T>> keys{{0, -1000, nan, -infinity, 2}, {-2000, 3000, 0, 5, 2}};  // by block, by query
  for_every_table<T>([&](const Table<T>& kernels) {
    Arrays sums;
    for (Index j : {0, 1}) {
      kernels.sum_weights({0, 5}, {j, j + 1}, 1, false, keys[static_cast<std::size_t>(j)].data(), 5, sums.get());
    }
    Spread found = spread_of(sums);
    found.entropy.resize(5);
    found.distance.resize(5);
    expect_close(found.entropy, {0, 0, NAN, 0, std::log(2.0L)}, kTolerance<T>, "entropy");
    expect_close(found.distance, {1, 1, NAN, 3, 4.5L}, kTolerance<T>, "distance");
  });
}

}  // namespace
}  // namespace ropewalk::kernels
