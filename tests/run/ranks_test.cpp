#include "experiments/run/ranks.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/record/sample.hpp"
#include "tests/run/thread_ranks.hpp"

namespace ropewalk {
namespace {

using Said = std::vector<std::vector<double>>;

TEST(Together, TellsTheLeaderWhatEachRankSays) {
  on_ranks(3, [](Ranks& ranks) {
    for (int round = 0; round < 3; ++round) {
      const std::vector<double> own(static_cast<std::size_t>(ranks.rank()), 10 * round);  // the leader says nothing
      const Said said = together(ranks, [&] { return own; });
      const std::vector<double> tens(2, 10 * round);
      EXPECT_EQ(said, ranks.leads() ? (Said{{}, {tens[0]}, tens}) : Said{});
    }
  });
}

TEST(Together, OneAloneHearsItself) {
  EXPECT_EQ(together(alone(), [] { return std::vector<double>{7}; }), (Said{{7}}));
}

/// What the rank of that number throws, or nothing.
std::vector<double> fail_on(int failing, const Ranks& ranks) {
  if (ranks.rank() == failing) throw FileError("no room");
  return {};
}

TEST(Together, AFailureOfAnyRankReachesAllAndTheNextPieceIsUndisturbed) {
  for (int failing = 0; failing < 3; ++failing) {
    on_ranks(3, [&](Ranks& ranks) {
      const auto part = [&] { return together(ranks, [&] { return fail_on(failing, ranks); }); };
      if (!ranks.leads()) {
        EXPECT_THROW(part(), Disbanded);
      } else if (failing == 0) {
        EXPECT_EQ(message_of<FileError>(part), "no room") << "the leader's own exception stays what it was";
      } else {
        EXPECT_EQ(message_of<Error>(part), fmt::format("rank {}: no room", failing));
      }
      const Said said = together(ranks, [&] { return std::vector<double>{static_cast<double>(ranks.rank())}; });
      EXPECT_EQ(said, ranks.leads() ? (Said{{0}, {1}, {2}}) : Said{});
    });
  }
}

TEST(Together, TheOthersHaveSomethingPendingAsSoonAsTheLeaderFails) {
  on_ranks(2, [](Ranks& ranks) {
    const auto wait_or_fail = [&]() -> std::vector<double> {
      check(!ranks.leads(), "enough");
      const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!ranks.pending(0) && std::chrono::steady_clock::now() < late) std::this_thread::yield();
      EXPECT_TRUE(ranks.pending(0));
      return {};
    };
    EXPECT_THROW(together(ranks, wait_or_fail), Error);
  });
}

TEST(ExpectAlike, NamesBothWhereRanksDiffer) {
  on_ranks(3, [](Ranks& ranks) { EXPECT_NO_THROW(expect_alike(ranks, "avx2")); });
  on_ranks(3, [](Ranks& ranks) {
    const auto compare = [&] { expect_alike(ranks, ranks.rank() == 2 ? "avx2" : "avx512"); };
    if (!ranks.leads()) {
      EXPECT_THROW(compare(), Disbanded);
    } else {
      EXPECT_EQ(message_of<UsageError>(compare),
                "rank 2: computes with avx2, rank 0 with avx512: ranks that round differently would give other bits; start them "
                "on machines of one kind");
    }
  });
}

}  // namespace
}  // namespace ropewalk
