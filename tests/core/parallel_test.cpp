#include "framework/core/parallel.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace ropewalk {
namespace {

using Indices = std::vector<Index>;

Indices pieces_of(Index count) {
  Indices seen;
  parallel(count, [&](Index i) { seen.push_back(i); });
  return seen;
}

/// Does the pieces backwards, as a sign that it was asked.
void backwards(Index count, const std::function<void(Index)>& piece) {
  for (Index i = count - 1; i >= 0; --i) piece(i);
}

TEST(Parallel, RunsInOrderOnTheCallingThreadWithoutAScope) {
  EXPECT_EQ(pieces_of(3), (Indices{0, 1, 2}));
  EXPECT_EQ(pieces_of(0), Indices{});
}

TEST(Parallel, UsesTheRunnerOfTheInnermostScopeWhileItLives) {
  const ParallelScope outer(backwards);
  EXPECT_EQ(pieces_of(3), (Indices{2, 1, 0}));
  {
    const ParallelScope inner([](Index count, const std::function<void(Index)>& piece) {
      for (Index i = 0; i < count; i += 2) piece(i);
      for (Index i = 1; i < count; i += 2) piece(i);
    });
    EXPECT_EQ(pieces_of(4), (Indices{0, 2, 1, 3}));
  }
  EXPECT_EQ(pieces_of(3), (Indices{2, 1, 0}));
}

TEST(Parallel, AScopeIsItsOwnThreadsAlone) {
  const ParallelScope scope(backwards);
  Indices elsewhere;
  std::thread([&] { elsewhere = pieces_of(3); }).join();
  EXPECT_EQ(elsewhere, (Indices{0, 1, 2}));
}

TEST(Parallel, PassesAnExceptionOn) {
  const auto fail = [](Index i) { throw i; };
  EXPECT_THROW(parallel(1, fail), Index);
  const ParallelScope scope(backwards);
  EXPECT_THROW(parallel(1, fail), Index);
  EXPECT_EQ(pieces_of(2), (Indices{1, 0}));
}

}  // namespace
}  // namespace ropewalk
