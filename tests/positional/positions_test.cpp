#include "framework/positional/positions.hpp"

#include "framework/positional/sampler.hpp"
#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

using positional::contiguous;
using positional::distances;
using positional::Positions;

TEST(Positions, ContiguousOnesCountFromTheFirst) {
  EXPECT_EQ(contiguous(3), (Positions{0, 1, 2}));
  EXPECT_EQ(contiguous(3, -1.5), (Positions{-1.5, -0.5, 0.5}));
  EXPECT_EQ(contiguous(0), Positions{});
}

TEST(Positions, TheContiguousSamplerStartsAtZero) {
  Choice<positional::Sampler> sampler(positional::samplers(), "contiguous");
  EXPECT_EQ(sampler->positions(4), (Positions{0, 1, 2, 3}));
}

TEST(Distances, AreKeyLessQueryForEveryDifferenceOfIndices) {
  EXPECT_EQ(distances({5, 6, 7}), (std::vector<double>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(distances({9, 7, 5}), (std::vector<double>{4, 2, 0, -2, -4}));
  EXPECT_EQ(distances({42}), std::vector<double>{0});
  EXPECT_TRUE(distances({}).empty());
}

TEST(Distances, RoundingOfPositionsDoesNotAddUp) {
  const std::vector<double> far = distances(contiguous(2000, 123456.7));
  for (std::size_t r = 0; r < far.size(); ++r) EXPECT_NEAR(far[r], static_cast<double>(r) - 1999, 1e-9);
}

TEST(Distances, UnevenPositionsAreRefused) {
  try {
    distances({0, 1, 3});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("distances: positions 1 and 3 at index 2 are not 1 apart"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ropewalk
