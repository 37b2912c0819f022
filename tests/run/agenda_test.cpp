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

void wait_until_ready(Agenda& agenda) {
  while (!agenda.ready()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST(Agenda, WhatAnotherProcessHasIsOfferedAgainForAsLongAsSomethingWaitsForIt) {
  Agenda agenda(Before{std::nullopt, 0});
  for (int time = 0; time < 3; ++time) {
    ASSERT_EQ(agenda.take(), 0u);
    EXPECT_TRUE(agenda.held_elsewhere(0));
    EXPECT_FALSE(agenda.ready()) << "not at once: the other process is at it";
    wait_until_ready(agenda);
  }
  EXPECT_EQ(agenda.take(), 0u);
  agenda.over(0);
  EXPECT_EQ(agenda.take(), 1u);
  EXPECT_FALSE(agenda.open());
}

TEST(Agenda, WhatAnotherProcessHasIsOfferedOnceMoreAtTheEnd) {
  Agenda agenda(Before{std::nullopt, std::nullopt, std::nullopt});
  ASSERT_EQ(agenda.take(), 0u);
  ASSERT_EQ(agenda.take(), 1u);
  EXPECT_TRUE(agenda.held_elsewhere(0));
  EXPECT_TRUE(agenda.held_elsewhere(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(agenda.take(), 2u) << "others first";
  EXPECT_FALSE(agenda.ready()) << "and until their end";
  agenda.over(2);
  EXPECT_EQ(agenda.take(), 0u);
  EXPECT_FALSE(agenda.held_elsewhere(0));
  EXPECT_EQ(agenda.take(), 1u) << "the other process has died";
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
