// Which rank has which terms of a sum, and how the sum of all is made in the same tree as on one rank.
#pragma once

#include <vector>

#include "experiments/run/ranks.hpp"
#include "experiments/run/tree_sum.hpp"

namespace ropewalk {

/// Terms begin … end − 1.
struct Share {
  Index begin, end;
  Index size() const { return end - begin; }
};

/// What one of several ranks has of `count` terms. The first one always has term 0.
Share share_of(int rank, int ranks, Index count);

/// An addition whose operands are on two ranks; the sum of terms right … right + span − 1, as far as there are so many, is sent
/// to the rank that has the left operand.
struct Crossing {
  Index right, span;
  int from, to;
};

/// All of them, in an order that every rank can keep without waiting for one that waits for it.
std::vector<Crossing> crossings(Index count, int ranks);

/// Called on all ranks, when each has put its share of the terms: the total is then the leader's.
void sum_over_ranks(TreeSum& sum, Ranks& ranks);

}  // namespace ropewalk
