#include "experiments/run/places.hpp"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

Slot slot(double seconds, std::optional<std::size_t> before = {}, Index shards = 4) { return {seconds, before, shards}; }

TEST(ThreadsOfOne, AreItsPartOfAllButNoMoreThanItsShards) {
  EXPECT_DOUBLE_EQ((Places{2, 2}.threads_of_one(2, 4)), 1);
  EXPECT_DOUBLE_EQ((Places{2, 2}.threads_of_one(1, 4)), 2);
  EXPECT_DOUBLE_EQ((Places{16, 2}.threads_of_one(1, 4)), 4);
}

TEST(SecondsOfAll, AreTheSumForOneJob) {
  EXPECT_DOUBLE_EQ(seconds_of_all({slot(3), slot(4), slot(5)}, {2, 1}), 12);
  EXPECT_DOUBLE_EQ(seconds_of_all({}, {2, 2}), 0);
}

TEST(SecondsOfAll, TheLastOneHasAllThreads) {
  // 6 beside 4 and 2 until 6; then the last, of 8, alone on two threads.
  EXPECT_DOUBLE_EQ(seconds_of_all({slot(6), slot(4), slot(2), slot(8)}, {2, 2}), 6 + 4);
  EXPECT_DOUBLE_EQ(seconds_of_all({slot(6), slot(4), slot(2), slot(8, {}, 1)}, {2, 2}), 6 + 8) << "nothing to share";
}

TEST(SecondsOfAll, AStageWaitsForTheOneBefore) {
  // The second waits for the first, the third does not; after 4 s the first is alone with two threads for what is 6 s of one.
  EXPECT_DOUBLE_EQ(seconds_of_all({slot(10), slot(2, 0), slot(4)}, {2, 2}), 4 + 3 + 1);
}

TEST(SecondsOfAll, WhatIsOverTakesNoTime) {
  EXPECT_DOUBLE_EQ(seconds_of_all({slot(0), slot(3, 0), slot(0), slot(3)}, {2, 2}), 3);
}

}  // namespace
}  // namespace ropewalk
