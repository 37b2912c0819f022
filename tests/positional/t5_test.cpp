#include "framework/positional/t5.hpp"

#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using positional::t5_bucket;

/// Bucket of a whole distance >= 0, found with integers alone: the largest i with (distance/exact)^shared >= (max/exact)^i.
Index counted_bucket(Index distance, Index buckets, Index max_distance) {
  const Index exact = buckets / 2, shared = buckets - exact;
  if (distance < exact) return distance;
  const auto power = [](Index base, Index exponent) {
    __extension__ unsigned __int128 result = 1;
    for (Index i = 0; i < exponent; ++i) result *= static_cast<std::uint64_t>(base);
    return result;
  };
  Index i = 0;
  while (i < shared - 1 && power(distance, shared) * power(exact, i + 1) >= power(max_distance, i + 1) * power(exact, shared))
    ++i;
  return exact + i;
}

TEST(T5Bucket, KnownValuesOfTheDefault) {
  const std::vector<std::pair<double, Index>> known{{0, 0},    {1, 1},    {15, 15},  {16, 16},  {17, 16},
                                                    {18, 16},  {19, 17},  {32, 21},  {64, 26},  {112, 30},
                                                    {113, 31}, {127, 31}, {128, 31}, {129, 31}, {1e6, 31}};
  for (auto [distance, bucket] : known) EXPECT_EQ(t5_bucket(distance, 32, 128, true), bucket) << "distance " << distance;
}

TEST(T5Bucket, KeysToTheRightFallInBucketZeroUnderTheMask) {
  for (double distance : {-1.0, -15.0, -1000.0}) EXPECT_EQ(t5_bucket(distance, 32, 128, true), 0);
}

TEST(T5Bucket, FollowsTheFormulaExactly) {
  for (auto [buckets, max_distance] : {std::pair<Index, Index>{8, 64}, {8, 20}, {6, 48}, {4, 128}, {16, 64}, {16, 128}, {2, 5}}) {
    for (Index distance = 0; distance < 3 * max_distance; ++distance) {
      EXPECT_EQ(t5_bucket(static_cast<double>(distance), buckets, max_distance, true),
                counted_bucket(distance, buckets, max_distance))
          << distance << " in " << buckets << " buckets up to " << max_distance;
    }
  }
}

TEST(T5Bucket, WholeBoundariesBelongToTheUpperBucketWhateverRoundingDoes) {
  EXPECT_EQ(t5_bucket(24, 36, 32, true), 27);  // (24/18)^18 = (32/18)^9: bucket 18 + 9, just missed by rounded logarithms
  EXPECT_EQ(t5_bucket(36, 54, 64, true), 36);  // (36/27)^27 = (64/27)^9
  EXPECT_EQ(t5_bucket(5 - 1e-12, 32, 128, true), 5);
}

TEST(T5Bucket, BothDirectionsHaveHalfOfTheBuckets) {
  for (Index distance = 0; distance < 300; ++distance) {
    EXPECT_EQ(t5_bucket(static_cast<double>(distance), 16, 64, false), counted_bucket(distance, 8, 64));
    EXPECT_EQ(t5_bucket(static_cast<double>(-1 - distance), 16, 64, false), 8 + counted_bucket(1 + distance, 8, 64));
  }
  EXPECT_EQ(t5_bucket(8, 32, 128, false), 8);
  EXPECT_EQ(t5_bucket(128, 32, 128, false), 15);
  EXPECT_EQ(t5_bucket(-128, 32, 128, false), 31);
}

TEST(T5, BiasIsTheTableAtTheBucketOfTheDistance) {
  const Index length = 150, heads = 3;
  for (bool causal : {true, false}) {
    const auto scheme = toy::scheme("t5");
    scheme->prepare({.width = 12, .heads = heads, .length = 8, .causal = causal}, Random(1), Type::f64);
    const Tensor& table = *scheme->parameters()[0].tensor;
    ASSERT_EQ(table.shape(), (Shape{heads, 32}));
    const std::vector<double> values = table.values(), bias = toy::dense_bias(*scheme, length).values();
    for (Index h = 0; h < heads; ++h) {
      for (Index i = 0; i < length; ++i) {
        for (Index j = 0; j < length; ++j) {
          const Index bucket = t5_bucket(static_cast<double>(i - j), 32, 128, causal);
          ASSERT_EQ(bias[static_cast<std::size_t>((h * length + i) * length + j)],
                    values[static_cast<std::size_t>(h * 32 + bucket)]);
        }
      }
    }
  }
}

TEST(T5, TheTableStartsFromSmallNormalNumbers) {
  const auto scheme = toy::scheme("t5", {{"buckets", std::int64_t{512}}, {"max_distance", std::int64_t{4096}}});
  scheme->prepare({.width = 32, .heads = 8}, Random(1), Type::f64);
  double squares = 0;
  for (double value : scheme->parameters()[0].tensor->values()) squares += value * value;
  EXPECT_NEAR(std::sqrt(squares / 4096), 0.02, 0.001);
}

struct Refusal {
  Index buckets, max_distance;
  bool causal;
  std::string setting, reason;
};

TEST(T5Complaints, SayWhatIsWrong) {
  const std::vector<Refusal> refusals{
      {33, 128, true, "buckets", "expected a multiple of 2, got 33"},
      {34, 128, false, "buckets", "expected a multiple of 4, got 34"},
      {32, 16, true, "max_distance", "expected more than the 16 distances that have buckets of their own, got 16"},
      {32, 8, false, "max_distance", "expected more than the 8 distances that have buckets of their own, got 8"},
  };
  for (const Refusal& refusal : refusals) {
    const auto scheme = toy::scheme("t5", {{"buckets", refusal.buckets}, {"max_distance", refusal.max_distance}});
    const auto found = scheme->complaints({.width = 8, .heads = 2, .length = 8, .causal = refusal.causal}, {});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].setting, refusal.setting);
    EXPECT_EQ(found[0].reason, refusal.reason);
  }
  EXPECT_TRUE(toy::scheme("t5")->complaints({.width = 8, .heads = 2, .length = 8, .causal = false}, {}).empty());
}

}  // namespace
}  // namespace ropewalk
