#include "experiments/run/shares.hpp"

#include <gtest/gtest.h>

#include "tests/run/thread_ranks.hpp"

namespace ropewalk {
namespace {

/// Values whose sum depends on the order.
double term(Index index) { return (index % 2 == 0 ? 1e16 : -1e16) * static_cast<double>(index + 1) + static_cast<double>(index); }

void put(TreeSum& sum, Index index) {
  Tensor row = sum.take();
  row.data<double>()[0] = term(index);
  row.data<double>()[1] = 1;
  sum.put(index, std::move(row));
}

std::vector<double> sum_on_one(Index count) {
  TreeSum sum(count, 2, Type::f64);
  for (Index index = 0; index < count; ++index) put(sum, index);
  return sum.total().values();
}

class Shares : public testing::TestWithParam<std::tuple<int, Index>> {};

TEST_P(Shares, AreEveryTermOnceAndTheFirstTermIsTheLeaders) {
  const auto [ranks, count] = GetParam();
  Index next = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const Share share = share_of(rank, ranks, count);
    EXPECT_EQ(share.begin, next);
    EXPECT_LE(share.size(), (count + ranks - 1) / ranks) << "rank " << rank << " has more than an even share, rounded up";
    next = share.end;
  }
  EXPECT_EQ(next, count);
  EXPECT_GT(share_of(0, ranks, count).size(), 0);
}

TEST_P(Shares, AddUpInTheTreeOfOneRank) {
  const auto [ranks, count] = GetParam();
  const std::vector<double> expected = sum_on_one(count);
  on_ranks(ranks, [&, count = count](Ranks& rank) {
    const Share share = share_of(rank.rank(), rank.count(), count);
    TreeSum sum(count, 2, Type::f64);
    for (int round = 0; round < 3; ++round) {
      for (Index index = share.end; index-- > share.begin;) put(sum, index);
      sum_over_ranks(sum, rank);
      if (!rank.leads()) continue;
      EXPECT_EQ(sum.total().values(), expected) << "round " << round;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(RanksAndTerms, Shares, testing::Combine(testing::Range(1, 8), testing::Range(Index{1}, Index{10})),
                         [](const auto& info) {
                           return fmt::format("{}ranks{}terms", std::get<0>(info.param), std::get<1>(info.param));
                         });

TEST(Crossings, AreSentToTheRankOfTheLeftOperand) {
  const auto in_words = [](Index count, int ranks) {
    std::string words;
    for (const Crossing& c : crossings(count, ranks)) words += fmt::format("{}+{}: {}>{} ", c.right, c.span, c.from, c.to);
    return words;
  };
  EXPECT_EQ(in_words(4, 1), "");
  EXPECT_EQ(in_words(4, 2), "2+2: 1>0 ");
  EXPECT_EQ(in_words(4, 4), "1+1: 1>0 3+1: 3>2 2+2: 2>0 ");
  EXPECT_EQ(in_words(6, 2), "3+1: 1>0 4+4: 1>0 ");
}

}  // namespace
}  // namespace ropewalk
