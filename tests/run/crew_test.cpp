#include "experiments/run/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "framework/core/tensor.hpp"

namespace ropewalk {
namespace {

const std::shared_ptr<Meter> meter = std::make_shared<Meter>();

TEST(Crew, DoesEveryPieceOnceOnAnyNumberOfThreads) {
  for (int helpers : {0, 1, 3, 7}) {
    Crew crew(helpers);
    for (Index count : {0, 1, 2, 50}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
      crew.run(count, meter, [&](Index i) { ++done[static_cast<std::size_t>(i)]; });
      for (const auto& times : done) EXPECT_EQ(times, 1) << helpers << " helpers, " << count << " pieces";
    }
  }
}

TEST(Crew, HelpersTakePartAndSoDoesTheCaller) {
  Crew crew(1);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<int> started = 0;
  crew.run(2, meter, [&](Index) {
    ++started;
    while (started < 2) std::this_thread::yield();  // each piece waits for the other: one thread alone would wait for ever
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads.count(std::this_thread::get_id()), 1u);
}

TEST(Crew, ThrowsTheFirstExceptionAfterTheOthersHaveEnded) {
  for (int helpers : {0, 2}) {
    Crew crew(helpers);
    std::atomic<int> ended = 0;
    const auto piece = [&](Index i) {
      if (i == 0) throw std::runtime_error("piece 0");
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++ended;
    };
    EXPECT_THROW(crew.run(8, meter, piece), std::runtime_error);
    EXPECT_EQ(ended, 7) << helpers << " helpers";
    EXPECT_NO_THROW(crew.run(8, meter, [](Index) {})) << "a failure stays with its own run";
  }
}

TEST(Crew, ServesSeveralRunsAtOnce) {
  Crew crew(2);
  std::vector<std::atomic<int>> totals(4);
  std::vector<std::thread> runs;
  for (std::size_t r = 0; r < totals.size(); ++r) {
    runs.emplace_back([&, r] {
      for (int repeat = 0; repeat < 200; ++repeat) crew.run(5, meter, [&](Index i) { totals[r] += static_cast<int>(i); });
    });
  }
  for (std::thread& run : runs) run.join();
  for (const auto& total : totals) EXPECT_EQ(total, 200 * (0 + 1 + 2 + 3 + 4));
}

/// As a sweep uses it: drivers end one after another, and help until the last has ended.
TEST(Crew, HelpEndsWhenWokenEveryTime) {
  for (int repeat = 0; repeat < 1000; ++repeat) {
    Crew crew(1);
    std::atomic<int> busy = 3, pieces = 0;
    const auto drive = [&] {
      crew.run(4, meter, [&](Index) { ++pieces; });
      if (--busy == 0) {
        crew.wake();
      } else {
        crew.help([&] { return busy == 0; });
      }
    };
    std::thread first(drive), second(drive);
    drive();
    first.join();
    second.join();
    ASSERT_EQ(pieces, 12);
  }
}

TEST(Crew, WhoHelpsTakesPiecesOfOthers) {
  Crew crew(0);
  std::atomic<bool> over = false;
  std::atomic<int> started = 0;
  std::thread helper([&] { crew.help([&] { return over.load(); }); });
  crew.run(2, meter, [&](Index) {
    ++started;
    while (started < 2) std::this_thread::yield();
  });
  over = true;
  crew.wake();
  helper.join();
  EXPECT_EQ(started, 2);
}

/// Two pieces at once, on two threads, each holding `elements` floats while the other does.
void hold_at_once(Crew& crew, const std::shared_ptr<Meter>& charged, Index elements) {
  const MeterScope scope(charged);
  std::atomic<int> holding = 0;
  crew.run(2, charged, [&](Index) {
    const Tensor held = Tensor::zeros({elements});
    ++holding;
    while (holding < 2) std::this_thread::yield();
  });
}

TEST(Crew, ChargesWhatHelpersAllocateToTheRunTheyHelp) {
  Crew crew(1);
  const auto large = std::make_shared<Meter>(), small = std::make_shared<Meter>();
  hold_at_once(crew, large, 1 << 20);
  hold_at_once(crew, small, 1 << 10);
  EXPECT_GE(large->peak(), 2 * 4 << 20);
  EXPECT_GE(small->peak(), 2 * 4 << 10);
  EXPECT_LT(small->peak(), 1 << 20);
}

}  // namespace
}  // namespace ropewalk
