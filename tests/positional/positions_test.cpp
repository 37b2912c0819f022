#include "framework/positional/positions.hpp"

#include "framework/positional/distance.hpp"
#include "framework/positional/sampler.hpp"
#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

using positional::contiguous;
using positional::even_distances;
using positional::Places;
using positional::Positions;

TEST(Positions, ContiguousOnesCountFromTheFirst) {
  EXPECT_EQ(contiguous(3), (Positions{0, 1, 2}));
  EXPECT_EQ(contiguous(3, -1.5), (Positions{-1.5, -0.5, 0.5}));
  EXPECT_EQ(contiguous(0), Positions{});
}

TEST(Positions, TheContiguousSamplerStartsAtZero) {
  Choice<positional::Sampler> sampler(positional::samplers(), "contiguous");
  EXPECT_EQ(sampler->positions(4, 1, nullptr), (Positions{0, 1, 2, 3}));
}

std::vector<double> of(const Positions& positions) { return even_distances(positions); }

TEST(Distances, AreQueryLessKeyForEveryDifferenceOfIndices) {
  EXPECT_EQ(of({5, 6, 7}), (std::vector<double>{2, 1, 0, -1, -2}));
  EXPECT_EQ(of({9, 7, 5}), (std::vector<double>{-4, -2, 0, 2, 4}));
  EXPECT_EQ(of({42}), std::vector<double>{0});
  EXPECT_TRUE(of({}).empty());
  EXPECT_EQ(even_distances({Positions{7, 8}, Positions{5, 6, 7, 8}}), (std::vector<double>{3, 2, 1, 0, -1}));
}

TEST(Distances, RoundingOfPositionsDoesNotAddUp) {
  const std::vector<double> far = of(contiguous(2000, 123456.7));
  for (std::size_t r = 0; r < far.size(); ++r) EXPECT_NEAR(far[r], 1999 - static_cast<double>(r), 1e-9);
}

TEST(Places, AreEvenIfDistancesDependOnIndicesAlone) {
  EXPECT_TRUE(Places(Positions{0, 1, 2}).even());
  EXPECT_TRUE(Places(Positions{3, 2.5, 2}).even());
  EXPECT_TRUE(Places(Positions({0, 1, 2, 7, 8, 9}, 2)).even());
  EXPECT_FALSE(Places(Positions{0, 1, 3}).even());
  EXPECT_FALSE(Places(Positions({0, 1, 2, 0, 2, 4}, 2)).even());
  EXPECT_TRUE(Places(Positions{4}, contiguous(5)).even());
  EXPECT_TRUE(Places(Positions{3, 4}, contiguous(5)).even());
  EXPECT_FALSE(Places(Positions{2, 4}, contiguous(5)).even());
  EXPECT_FALSE(Places(Positions({4, 5}, 2), contiguous(5)).even());
}

// What tables of distances have to cover, however far apart the sequences of a batch are.
TEST(Places, SpanTheDistancesWithinASequence) {
  const auto span = [](const Places& places) { return places.span(); };
  EXPECT_EQ(span(contiguous(4, 1000)), (std::pair{-3.0, 3.0}));
  EXPECT_EQ(span(Positions({0, 1, 2, 5000, 5001, 5007}, 2)), (std::pair{-7.0, 7.0}));
  EXPECT_EQ(span({Positions{3, 4}, Positions{0, 1, 2, 3, 4}}), (std::pair{-1.0, 4.0}));
  EXPECT_EQ(span({Positions({3, 100}, 2), Positions{0, 1}}), (std::pair{2.0, 100.0}));
  EXPECT_EQ(span(Positions{2.5}), (std::pair{0.0, 0.0}));
  EXPECT_EQ(span(contiguous(0)), (std::pair{0.0, 0.0}));
}

TEST(Positions, OfSeveralSequencesAreRows) {
  const Positions positions({0, 1, 2.4, 7, 8.5, 9}, 2);
  EXPECT_EQ(positions.length(), 3);
  EXPECT_EQ(positions.at(1, 0), 7);
  EXPECT_EQ(positions.part(1, 3), Positions({1, 2.4, 8.5, 9}, 2));
  EXPECT_EQ(positions.rounded().values(), (std::vector<double>{0, 1, 2, 7, 9, 9}));
  EXPECT_FALSE(positions.whole());
  EXPECT_TRUE(contiguous(4, -2).whole());
  EXPECT_THROW(Positions({1, 2, 3}, 2), Error);
}

}  // namespace
}  // namespace ropewalk
