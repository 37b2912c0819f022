#include "framework/positional/sampler.hpp"

#include <map>
#include <set>

#include "framework/positional/randomized.hpp"
#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

using positional::contiguous;
using positional::Draws;
using positional::Positions;
using positional::Sampler;
using Row = std::vector<double>;

Choice<Sampler> sampler(const std::string& kind, const toy::Values& values = {}) {
  Choice<Sampler> choice(positional::samplers(), kind);
  for (const auto& [name, value] : values) toy::assign(choice.fields(), name, value);
  return choice;
}

Draws training(std::uint64_t step, Index first = 0) { return {Random(5), step, first, true}; }

Row row(const Positions& positions, Index sequence) {
  Row result;
  for (Index i = 0; i < positions.length(); ++i) result.push_back(positions.at(sequence, i));
  return result;
}

/// Rows of training positions for many sequences; one row if they share it.
std::vector<Row> drawn(const Sampler& sampler, Index length, Index count) {
  const Draws draws = training(3);
  const Positions positions = sampler.positions(length, count, &draws);
  EXPECT_TRUE(positions.sequences() == count || positions == contiguous(length));
  std::vector<Row> rows;
  for (Index s = 0; s < positions.sequences(); ++s) rows.push_back(row(positions, s));
  return rows;
}

class EverySampler : public testing::TestWithParam<std::string> {};

TEST_P(EverySampler, GivesASequenceTheSamePositionsInWhateverPassItIs) {
  const auto chosen = sampler(GetParam());
  const Draws all = training(3), later = training(3, 4);
  const Positions whole = chosen->positions(6, 10, &all), shard = chosen->positions(6, 3, &later);
  for (Index s = 0; s < 3; ++s) {
    EXPECT_EQ(row(shard, s % shard.sequences()), row(whole, (4 + s) % whole.sequences())) << "sequence " << s;
  }
}

TEST_P(EverySampler, DrawsForEverySequenceAndEveryStepAnew) {
  if (GetParam() == "contiguous") return;
  const auto chosen = sampler(GetParam());
  std::set<Row> seen;
  for (std::uint64_t step = 0; step < 4; ++step) {
    const Draws draws = training(step);
    const Positions positions = chosen->positions(6, 5, &draws);
    for (Index s = 0; s < 5; ++s) seen.insert(row(positions, s));
  }
  EXPECT_GT(seen.size(), 15u);  // of 20; an offset may come twice
}

TEST_P(EverySampler, IsContiguousInAnEvaluation) {
  const auto chosen = sampler(GetParam());
  const Draws evaluation{Random(5), 3, 0, false};
  EXPECT_EQ(chosen->positions(6, 3, nullptr), contiguous(6));
  EXPECT_EQ(chosen->positions(6, 3, &evaluation), contiguous(6));
  EXPECT_EQ(chosen->in_evaluation(), "contiguous");
}

TEST_P(EverySampler, DrawsPositionsBelowItsReach) {
  const auto chosen = sampler(GetParam());
  for (Index length : {1, 2, 9}) {
    for (const Row& positions : drawn(*chosen, length, 400)) {
      for (double position : positions) ASSERT_LT(position, static_cast<double>(chosen->reach(length)));
    }
  }
}

TEST_P(EverySampler, KeepsTheOrderOfTokens) {
  for (const Row& positions : drawn(*sampler(GetParam()), 9, 400)) {
    for (std::size_t i = 1; i < positions.size(); ++i) ASSERT_GT(positions[i], positions[i - 1]);
  }
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Kind<Sampler>& kind : positional::samplers()) names.push_back(kind.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Positional, EverySampler, testing::ValuesIn(kinds()), [](const auto& info) { return info.param; });

/// Holds counts to equal shares of `total`, to five standard deviations.
template <class Key>
void expect_uniform(const std::map<Key, Index>& counts, std::size_t kinds, Index total) {
  ASSERT_EQ(counts.size(), kinds);
  const double share = 1 / static_cast<double>(kinds), expected = share * static_cast<double>(total);
  for (const auto& [key, count] : counts) {
    EXPECT_NEAR(static_cast<double>(count), expected, 5 * std::sqrt(expected * (1 - share)));
  }
}

TEST(OffsetSampler, ShiftsEachSequenceByAnyNumberUpToTheLargest) {
  const auto offset = sampler("offset", {{"max", Index{9}}});
  EXPECT_EQ(offset->reach(5), 14);
  std::map<double, Index> counts;
  for (const Row& positions : drawn(*offset, 5, 5000)) {
    EXPECT_EQ(Positions(positions), contiguous(5, positions[0]));
    ++counts[positions[0]];
  }
  EXPECT_EQ(counts.begin()->first, 0);
  EXPECT_EQ(counts.rbegin()->first, 9);
  expect_uniform(counts, 10, 5000);
}

TEST(RandomizedSampler, DrawsDifferentNumbersOutOfTheRangeInOrder) {
  const auto randomized = sampler("randomized", {{"range", Index{12}}});
  EXPECT_EQ(randomized->reach(5), 12);
  std::map<double, Index> counts;
  for (const Row& positions : drawn(*randomized, 5, 3000)) {
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(positions[i], std::floor(positions[i]));
      ASSERT_TRUE(i == 0 || positions[i] > positions[i - 1]);
      ++counts[positions[i]];
    }
  }
  EXPECT_EQ(counts.begin()->first, 0);
  EXPECT_EQ(counts.rbegin()->first, 11);
  expect_uniform(counts, 12, 15000);
  EXPECT_EQ(drawn(*randomized, 12, 1)[0], contiguous(12).values());  // the only draw of all
}

TEST(RandomizedSampler, EverySetIsAsLikelyAsAnyOther) {
  std::map<std::vector<Index>, Index> counts;
  for (std::uint32_t n = 0; n < 6000; ++n) ++counts[positional::sorted_draw(3, 5, Random(1).stream("draw", 0, n))];
  expect_uniform(counts, 10, 6000);
}

TEST(RandomizedSampler, DrawsInAnEvaluationIfSoAsked) {
  const auto randomized = sampler("randomized", {{"range", Index{1000}}, {"evaluation", "drawn"}});
  EXPECT_EQ(randomized->in_evaluation(), "drawn");
  const Draws evaluation{Random(5), 3, 0, false}, train = training(3);
  const Positions positions = randomized->positions(6, 3, &evaluation);
  EXPECT_EQ(positions, randomized->positions(6, 3, &train));
  EXPECT_NE(row(positions, 0), row(positions, 1));
  EXPECT_EQ(randomized->positions(6, 3, nullptr), contiguous(6));  // where there is no chance, as in generation
}

TEST(RandomizedSampler, RefusesARangeShorterThanWhatItDrawsFor) {
  const auto about = [](const std::string& evaluation) {
    const auto found = sampler("randomized", {{"range", Index{16}}, {"evaluation", evaluation}});
    return [found](Index trained, const std::vector<Index>& lengths) {
      std::vector<std::string> said;
      for (const positional::Complaint& complaint : found->complaints(trained, lengths)) {
        said.push_back(complaint.setting + ": " + complaint.reason);
      }
      return said;
    };
  };
  using Found = std::vector<std::string>;
  EXPECT_EQ(about("contiguous")(16, {16, 64}), Found{});
  EXPECT_EQ(about("contiguous")(17, {}), Found{"range: cannot draw 17 different positions for the trained length out of 16"});
  EXPECT_EQ(about("drawn")(16, {8, 16}), Found{});
  EXPECT_EQ(about("drawn")(16, {8, 64, 128}),
            Found{"range: cannot draw 64 different positions for an evaluated length out of 16"});
  EXPECT_EQ(about("drawn")(20, {64}), Found{"range: cannot draw 20 different positions for the trained length out of 16"});
  const Draws draws = training(0);
  EXPECT_THROW(sampler("randomized", {{"range", Index{16}}})->positions(17, 1, &draws), Error);
}

/// The extremes of a number over many rows.
struct Extremes {
  double least = INFINITY, most = -INFINITY;

  void take(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  /// Both within the bounds, and close to them.
  void expect(double low, double high) const {
    EXPECT_GE(least, low);
    EXPECT_LE(most, high);
    EXPECT_LT(least, low + 0.02 * (high - low));
    EXPECT_GT(most, high - 0.02 * (high - low));
  }
};

// With two of the three choices at rest the third is to be seen.
TEST(CapeSampler, ShiftsJittersAndScalesWithinItsBounds) {
  const auto cape = [](double shift, double jitter, double scale) {
    return sampler("cape", {{"shift", shift}, {"jitter", jitter}, {"scale", scale}});
  };
  Extremes shift, jitter, scale;
  double log_scale = 0;
  for (const Row& positions : drawn(*cape(5, 0, 1), 6, 2000)) {
    shift.take(positions[0]);
    for (std::size_t i = 1; i < 6; ++i) EXPECT_NEAR(positions[i] - positions[0], static_cast<double>(i), 1e-12);
  }
  for (const Row& positions : drawn(*cape(0, 0.5, 1), 6, 2000)) {
    for (std::size_t i = 0; i < 6; ++i) jitter.take(positions[i] - static_cast<double>(i));
    EXPECT_NE(positions[1] - positions[0], positions[2] - positions[1]);
  }
  for (const Row& positions : drawn(*cape(0, 0, 3), 6, 2000)) {
    scale.take(positions[1]);
    log_scale += std::log(positions[1]) / 2000;
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(positions[i], static_cast<double>(i) * positions[1], 1e-12);
  }
  shift.expect(-5, 5);
  jitter.expect(-0.5, 0.5);
  scale.expect(1.0 / 3, 3);
  EXPECT_NEAR(log_scale, 0, 5 * std::log(3) / std::sqrt(3 * 2000.0));
  EXPECT_EQ(Positions(drawn(*cape(0, 0, 1), 6, 1)[0]), contiguous(6));
}

// λ (n + Δ + ε) with all at their largest, for the last token.
TEST(CapeSampler, ReachesToItsLargestPosition) {
  EXPECT_EQ(sampler("cape", {{"shift", 2.0}, {"jitter", 0.5}, {"scale", 2.0}})->reach(8), 2 * 9.5 + 1);
  EXPECT_EQ(sampler("cape", {{"shift", 0.0}, {"jitter", 0.0}, {"scale", 1.0}})->reach(8), 8);
}

}  // namespace
}  // namespace ropewalk
