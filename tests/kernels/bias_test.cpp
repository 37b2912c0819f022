// Biases of a block of scores, against plain loops in long double. tests/kernels/attention_test.cpp has the distance bias.
#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {
namespace {

constexpr Index kStride = 48;

/// Blocks narrower and wider than a vector and than a strip of keys; empty ones.
struct BlockRanges {
  Range queries, keys;
};

std::vector<BlockRanges> blocks() {
  std::vector<BlockRanges> all;
  for (Index query_count : {0, 1, 3, 16, 21, 32, 45}) {
    for (Index key_count : {0, 1, 2, 8, 17, 33, 70}) all.push_back({{3, 3 + query_count}, {2, 2 + key_count}});
  }
  return all;
}

std::string describe(const BlockRanges& block) {
  return std::to_string(block.queries.size()) + " queries, " + std::to_string(block.keys.size()) + " keys";
}

/// Calls body(i, j, entry): absolute query, absolute key, and where the pair's score is.
template <class Body>
void for_entries(const BlockRanges& block, Body body) {
  for (Index j = block.keys.begin; j < block.keys.end; ++j) {
    for (Index i = block.queries.begin; i < block.queries.end; ++i) {
      body(i, j, (j - block.keys.begin) * kStride + i - block.queries.begin);
    }
  }
}

Index entries_of(const BlockRanges& block) { return block.keys.size() * kStride; }

template <class T>
std::vector<Real> widened(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

/// Positions that neither start at 0 nor follow each other, every fifth of them twice.
std::vector<std::int32_t> positions_with_gaps(Index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<std::int32_t> positions{static_cast<std::int32_t>(generator() % 7)};
  while (static_cast<Index>(positions.size()) < n) {
    const auto step = static_cast<std::int32_t>(positions.size() % 5 == 0 ? 0 : 1 + generator() % 9);
    positions.push_back(positions.back() + step);
  }
  return positions;
}

struct SomePositions {
  std::vector<std::int32_t> queries = positions_with_gaps(50, 1), keys = positions_with_gaps(75, 2);

  Positions get() const { return {queries.data(), keys.data()}; }
  Index difference(Index i, Index j) const { return queries[i] - keys[j]; }
  Index largest() const { return std::max(queries.back(), keys.back()); }
};

template <class T>
class BiasTest : public ::testing::Test {};
TYPED_TEST_SUITE(BiasTest, ElementTypes);

TYPED_TEST(BiasTest, PositionBiasAddsAndCollectsByPositionOfQueryMinusThatOfKey) {
  using T = TypeParam;
  const SomePositions positions;
  const Index offset = positions.largest(), distances = 2 * offset + 1;
  const std::vector<T> row = normal_values<T>(distances, 3);
  for_every_table<T>([&](const Table<T>& kernels) {
    for (const BlockRanges& block : blocks()) {
      SCOPED_TRACE(describe(block));
      const std::vector<T> before = normal_values<T>(entries_of(block), 4), dscores = normal_values<T>(entries_of(block), 5);
      std::vector<T> scores = before, drow = row, expected = before;
      std::vector<Real> expected_gradient = widened(row);
      for_entries(block, [&](Index i, Index j, Index entry) {
        expected[entry] += row[positions.difference(i, j) + offset];
        expected_gradient[positions.difference(i, j) + offset] += dscores[entry];
      });
      kernels.add_position_bias(row.data(), offset, positions.get(), block.queries, block.keys, scores.data(), kStride);
      kernels.collect_position_bias(drow.data(), offset, positions.get(), block.queries, block.keys, dscores.data(), kStride);
      EXPECT_EQ(scores, expected);
      expect_close(drow, expected_gradient, kTolerance<T>, "row");
    }
  });
}

// Sums around -1e6 whose neighbours differ by a hundredth: as floats they would all be equal or a sixteenth apart.
TYPED_TEST(BiasTest, DifferenceBiasIsExactWhereTheSumsAreHugeAndTheirDifferencesSmall) {
  using T = TypeParam;
  std::vector<double> sums{-1e6};
  for (double step : normal_values<double>(74, 1, 0.01)) sums.push_back(sums.back() - std::abs(step));
  for_every_table<T>([&](const Table<T>& kernels) {
    for (const BlockRanges& block : blocks()) {
      SCOPED_TRACE(describe(block));
      std::vector<T> scores(entries_of(block)), expected(entries_of(block));
      for_entries(block, [&](Index i, Index j, Index entry) { expected[entry] = static_cast<T>(sums[i] - sums[j]); });
      kernels.add_difference_bias(sums.data(), sums.data(), block.queries, block.keys, scores.data(), kStride);
      EXPECT_EQ(scores, expected);
    }
  });
}

TYPED_TEST(BiasTest, DifferenceBiasAddsAndCollectsByQueryAndByKey) {
  using T = TypeParam;
  const std::vector<double> of_queries = normal_values<double>(50, 1), of_keys = normal_values<double>(75, 2);
  for_every_table<T>([&](const Table<T>& kernels) {
    for (const BlockRanges& block : blocks()) {
      SCOPED_TRACE(describe(block));
      const std::vector<T> before = normal_values<T>(entries_of(block), 3), dscores = normal_values<T>(entries_of(block), 4);
      std::vector<T> scores = before;
      std::vector<double> dof_queries = of_queries, dof_keys = of_keys;
      std::vector<Real> expected = widened(before), expected_queries = widened(of_queries), expected_keys = widened(of_keys);
      for_entries(block, [&](Index i, Index j, Index entry) {
        expected[entry] += static_cast<Real>(of_queries[i]) - of_keys[j];
        expected_queries[i] += dscores[entry];
        expected_keys[j] -= dscores[entry];
      });
      kernels.add_difference_bias(of_queries.data(), of_keys.data(), block.queries, block.keys, scores.data(), kStride);
      kernels.collect_difference_bias(dof_queries.data(), dof_keys.data(), block.queries, block.keys, dscores.data(), kStride);
      expect_close(scores, expected, kTolerance<T>, "scores");
      expect_close(dof_queries, expected_queries, kTolerance<double>, "of_queries");  // whatever T: the sums are double
      expect_close(dof_keys, expected_keys, kTolerance<double>, "of_keys");
    }
  });
}

/// A sum, and that of its terms' sizes: what rounding is relative to.
struct Sum {
  Real value = 0, magnitude = 0;

  void operator+=(Real term) {
    value += term;
    magnitude += std::abs(term);
  }
};

template <class T>
std::vector<Sum> sums_from(const std::vector<T>& values) {
  std::vector<Sum> sums(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
  return sums;
}

/// Within a few units in the last place of T.
template <class T>
void expect_sums(const std::vector<T>& actual, const std::vector<Sum>& expected, const std::string& what,
                 double epsilon = std::numeric_limits<T>::epsilon()) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const Real tolerance = 4 * static_cast<Real>(epsilon) * expected[i].magnitude;
    ASSERT_NEAR(static_cast<double>(actual[i]), static_cast<double>(expected[i].value), static_cast<double>(tolerance))
        << what << " [" << i << "]";
  }
}

/// The arrays of one FIRE bias, or of its gradient, in which those of psi are double.
template <class T, class OfPsi = T>
struct FireArrays {
  std::vector<T> w1, b1, w2, b2;
  std::vector<OfPsi> psi, reciprocal_queries, reciprocal_keys;

  Fire<T> get(const SomePositions& positions) const {
    return {.width = static_cast<Index>(w1.size()),
            .w1 = w1.data(),
            .b1 = b1.data(),
            .w2 = w2.data(),
            .b2 = b2[0],
            .positions = positions.get(),
            .psi = psi.data(),
            .reciprocal_queries = reciprocal_queries.data(),
            .reciprocal_keys = reciprocal_keys.data()};
  }
  FireGradient<T> gradient() {
    return {w1.data(), b1.data(), w2.data(), b2.data(), psi.data(), reciprocal_queries.data(), reciprocal_keys.data()};
  }
};

/// psi(distance) = log(c distance + 1); weights as a trained MLP may have them: every unit may bend anywhere.
/// Gradients that are what the arrays themselves are: what is there stays, they are added.
template <class T>
FireArrays<T, double> gradient_from(const FireArrays<T>& fire) {
  const auto widened = [](const std::vector<T>& values) { return std::vector<double>(values.begin(), values.end()); };
  return {fire.w1, fire.b1, fire.w2, fire.b2, widened(fire.psi), widened(fire.reciprocal_queries), widened(fire.reciprocal_keys)};
}

template <class T>
FireArrays<T> some_fire(const SomePositions& positions, Index width) {
  const auto psi = [](double distance) { return std::log(0.3 * distance + 1); };
  FireArrays<T> fire{
      normal_values<T>(width, 11), normal_values<T>(width, 12, 0.5), normal_values<T>(width, 13), {T(0.25)}, {}, {}, {}};
  for (Index distance = 0; distance <= positions.largest(); ++distance) {
    fire.psi.push_back(static_cast<T>(psi(static_cast<double>(distance))));
  }
  const auto reciprocal = [&](std::int32_t position) { return static_cast<T>(1 / psi(std::max(position, 40))); };
  for (std::int32_t position : positions.queries) fire.reciprocal_queries.push_back(reciprocal(position));
  for (std::int32_t position : positions.keys) fire.reciprocal_keys.push_back(reciprocal(position));
  return fire;
}

/// Adds the bias of one pair, and its gradient for `dscore`. x is rounded to T as the kernel does: on which side of a bend it
/// lies is decided by its last bit.
template <class T>
void add_plain_fire(const FireArrays<T>& fire, const SomePositions& positions, Index i, Index j, Real dscore, Sum& score,
                    FireArrays<Sum>& gradient) {
  const Index distance = std::abs(positions.difference(i, j));
  const bool of_key = fire.reciprocal_keys[j] < fire.reciprocal_queries[i];
  const T reciprocal = of_key ? fire.reciprocal_keys[j] : fire.reciprocal_queries[i];
  const T x = fire.psi[distance] * reciprocal;
  score += fire.b2[0];
  gradient.b2[0] += dscore;
  for (std::size_t k = 0; k < fire.w1.size(); ++k) {
    const Real w1 = fire.w1[k], b1 = fire.b1[k], w2 = fire.w2[k];
    if (w1 * x + b1 <= 0) continue;
    score += w2 * w1 * x;
    score += w2 * b1;
    gradient.w2[k] += dscore * w1 * x;
    gradient.w2[k] += dscore * b1;
    gradient.w1[k] += dscore * w2 * x;
    gradient.b1[k] += dscore * w2;
    gradient.psi[distance] += dscore * w2 * w1 * reciprocal;
    (of_key ? gradient.reciprocal_keys[j] : gradient.reciprocal_queries[i]) += dscore * w2 * w1 * fire.psi[distance];
  }
}

template <class T>
void expect_plain_fire(const Table<T>& kernels, const FireArrays<T>& fire, const SomePositions& positions,
                       const BlockRanges& block) {
  const std::vector<T> before = normal_values<T>(entries_of(block), 6), dscores = normal_values<T>(entries_of(block), 7);
  std::vector<T> scores = before;
  FireArrays<T, double> gradient = gradient_from(fire);
  std::vector<Sum> expected = sums_from(before);
  FireArrays<Sum> sums{sums_from(fire.w1),
                       sums_from(fire.b1),
                       sums_from(fire.w2),
                       sums_from(fire.b2),
                       sums_from(fire.psi),
                       sums_from(fire.reciprocal_queries),
                       sums_from(fire.reciprocal_keys)};
  for_entries(block, [&](Index i, Index j, Index entry) {
    add_plain_fire(fire, positions, i, j, dscores[entry], expected[entry], sums);
  });
  kernels.add_fire_bias(fire.get(positions), block.queries, block.keys, scores.data(), kStride);
  kernels.collect_fire_bias(fire.get(positions), gradient.gradient(), block.queries, block.keys, dscores.data(), kStride);
  expect_sums(scores, expected, "scores");
  expect_sums(gradient.w1, sums.w1, "w1");
  expect_sums(gradient.b1, sums.b1, "b1");
  expect_sums(gradient.w2, sums.w2, "w2");
  expect_sums(gradient.b2, sums.b2, "b2");
  const double epsilon = std::numeric_limits<T>::epsilon();  // of the terms, whatever they are summed in
  expect_sums(gradient.psi, sums.psi, "psi", epsilon);
  expect_sums(gradient.reciprocal_queries, sums.reciprocal_queries, "reciprocal_queries", epsilon);
  expect_sums(gradient.reciprocal_keys, sums.reciprocal_keys, "reciprocal_keys", epsilon);
}

TYPED_TEST(BiasTest, FireAddsItsMlpAndCollectsItsGradientsWhateverItsWidth) {
  using T = TypeParam;
  const SomePositions positions;
  for_every_table<T>([&](const Table<T>& kernels) {
    for (Index width : {1, 3, 32, 45}) {
      const FireArrays<T> fire = some_fire<T>(positions, width);
      for (const BlockRanges& block : blocks()) {
        SCOPED_TRACE(describe(block) + ", width " + std::to_string(width));
        expect_plain_fire(kernels, fire, positions, block);
        if (this->HasFailure()) return;
      }
    }
  });
}

// With b1 = 0 every unit bends where the distance is 0; there it is not above 0, and hands on no gradient.
TYPED_TEST(BiasTest, FireWithoutFirstBiasesBendsAtDistanceZero) {
  using T = TypeParam;
  SomePositions positions;
  positions.keys = positions_with_gaps(75, 1);  // as the queries', so that many pairs are at distance 0
  FireArrays<T> fire = some_fire<T>(positions, 32);
  std::fill(fire.b1.begin(), fire.b1.end(), T(0));
  for_every_table<T>([&](const Table<T>& kernels) { expect_plain_fire(kernels, fire, positions, {{3, 48}, {3, 73}}); });
}

TYPED_TEST(BiasTest, FireBetweenEqualReciprocalsChoosesTheQuery) {
  using T = TypeParam;
  const SomePositions positions;
  FireArrays<T> fire = some_fire<T>(positions, 8);
  std::fill(fire.reciprocal_queries.begin(), fire.reciprocal_queries.end(), T(0.5));
  std::fill(fire.reciprocal_keys.begin(), fire.reciprocal_keys.end(), T(0.5));
  for_every_table<T>([&](const Table<T>& kernels) {
    const std::vector<T> dscores = normal_values<T>(40 * kStride, 7);
    FireArrays<T, double> gradient = gradient_from(fire), before = gradient;
    kernels.collect_fire_bias(fire.get(positions), gradient.gradient(), {0, 40}, {0, 40}, dscores.data(), kStride);
    EXPECT_EQ(gradient.reciprocal_keys, before.reciprocal_keys);
    EXPECT_NE(gradient.reciprocal_queries, before.reciprocal_queries);
  });
}

TYPED_TEST(BiasTest, FireHidesNoNaN) {
  using T = TypeParam;
  const SomePositions positions;
  for_every_table<T>([&](const Table<T>& kernels) {
    for (auto weights : {&FireArrays<T>::w1, &FireArrays<T>::b1, &FireArrays<T>::w2}) {
      FireArrays<T> fire = some_fire<T>(positions, 32);
      std::fill((fire.*weights).begin(), (fire.*weights).end(), std::numeric_limits<T>::quiet_NaN());
      std::vector<T> scores(10 * kStride);
      kernels.add_fire_bias(fire.get(positions), {0, 20}, {0, 10}, scores.data(), kStride);
      for_entries({{0, 20}, {0, 10}}, [&](Index, Index, Index entry) { EXPECT_TRUE(std::isnan(scores[entry])); });
    }
  });
}

}  // namespace
}  // namespace ropewalk::kernels
