#include "experiments/run/agenda.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace ropewalk {
namespace {

using Before = std::vector<std::optional<std::size_t>>;

TEST(Agenda, OffersRunsInOrderEachOnce) {
  Agenda agenda(Before(3));
  for (std::size_t run = 0; run < 3; ++run) EXPECT_EQ(agenda.take(), run);
  EXPECT_EQ(agenda.take(), std::nullopt);
  EXPECT_FALSE(agenda.open());
}

TEST(Agenda, ARunWaitsForTheOneItStartsFromAndLetsOthersPass) {
  Agenda agenda(Before{std::nullopt, 0, std::nullopt});
  EXPECT_EQ(agenda.take(), 0u);
  EXPECT_EQ(agenda.take(), 2u);
  EXPECT_EQ(agenda.take(), std::nullopt);
  EXPECT_TRUE(agenda.open()) << "run 1 is still to come";
  EXPECT_FALSE(agenda.ready());
  agenda.over(0);
  EXPECT_TRUE(agenda.ready());
  EXPECT_EQ(agenda.take(), 1u);
}

TEST(Agenda, WhatAnotherProcessHasIsOfferedAgainOnlyIfSomethingWaitsForIt) {
  Agenda agenda(Before{std::nullopt, 0, std::nullopt});
  ASSERT_EQ(agenda.take(), 0u);
  ASSERT_EQ(agenda.take(), 2u);
  EXPECT_FALSE(agenda.held_elsewhere(2));
  EXPECT_TRUE(agenda.held_elsewhere(0));
  EXPECT_FALSE(agenda.ready()) << "not at once: the other process is at it";
  while (!agenda.ready()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(agenda.take(), 0u);
  agenda.over(0);
  EXPECT_EQ(agenda.take(), 1u);
  EXPECT_FALSE(agenda.open());
}

TEST(Agenda, NothingBeginsOnceItIsStopped) {
  Agenda agenda(Before(2));
  ASSERT_EQ(agenda.take(), 0u);
  agenda.stop();
  EXPECT_EQ(agenda.take(), std::nullopt);
  EXPECT_FALSE(agenda.open() || agenda.ready());
  EXPECT_EQ(agenda.waiting(), 1u);
}

}  // namespace
}  // namespace ropewalk
