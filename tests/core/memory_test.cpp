#include "framework/core/memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <thread>
#include <vector>

namespace ropewalk {
namespace {

using Buffers = std::vector<std::unique_ptr<Buffer>>;

Buffers allocate(const std::vector<std::size_t>& sizes) {
  Buffers buffers;
  for (std::size_t bytes : sizes) {
    buffers.push_back(std::make_unique<Buffer>(bytes));
    std::memset(buffers.back()->data(), 0x5a, bytes);
  }
  return buffers;
}

class Metered : public testing::Test {
 protected:
  std::shared_ptr<Meter> meter_ = std::make_shared<Meter>();
  std::optional<MeterScope> scope_{meter_};
};

TEST_F(Metered, CountsWhatIsHeldAndAtMostAQuarterMore) {
  for (std::size_t bytes : std::vector<std::size_t>{257, 1000, 4097, 1 << 20, (1 << 20) + 1}) {
    const std::int64_t before = meter_->held();
    const Buffer buffer(bytes);
    const auto held = static_cast<double>(meter_->held() - before);
    EXPECT_GE(held, static_cast<double>(bytes));
    EXPECT_LE(held, std::max(1.25 * static_cast<double>(bytes), 320.0)) << bytes;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
  }
}

TEST_F(Metered, ASecondRoundAllocatesNothing) {
  const std::vector<std::size_t> sizes{0, 1, 64, 1000, 1000, 1 << 20};
  allocate(sizes);
  const std::int64_t allocations = meter_->allocations(), held = meter_->held();
  allocate(sizes);
  EXPECT_EQ(allocations, 6);
  EXPECT_EQ(meter_->allocations(), allocations);
  EXPECT_EQ(meter_->held(), held);
}

TEST_F(Metered, NearbySizesShareBlocks) {
  allocate({1000});
  allocate({1020});
  EXPECT_EQ(meter_->allocations(), 1);
}

TEST_F(Metered, TrimmingReturnsCachedBlocksOnly) {
  const Buffer alive(1 << 16);
  allocate({1 << 18});
  trim_memory();
  EXPECT_EQ(meter_->held(), 1 << 16);
  EXPECT_EQ(meter_->peak(), (1 << 16) + (1 << 18));
}

TEST_F(Metered, TheEndOfAScopeEmptiesTheCache) {
  allocate({1 << 18});
  scope_.reset();
  EXPECT_EQ(meter_->held(), 0);
  EXPECT_EQ(meter_->peak(), 1 << 18);
  allocate({1 << 18});
  EXPECT_EQ(meter_->allocations(), 1) << "a buffer made outside the scope was charged to it";
}

TEST_F(Metered, ABufferThatOutlivesItsScopeIsStillCharged) {
  auto buffer = std::make_unique<Buffer>(1 << 16);
  scope_.reset();
  EXPECT_EQ(meter_->held(), 1 << 16);
  buffer.reset();
  trim_memory();
  EXPECT_EQ(meter_->held(), 0);
}

TEST_F(Metered, ScopesNest) {
  const auto inner = std::make_shared<Meter>();
  {
    const MeterScope scope(inner);
    const Buffer buffer(1 << 16);
  }
  const Buffer buffer(1 << 17);
  EXPECT_EQ(inner->peak(), 1 << 16);
  EXPECT_EQ(meter_->peak(), 1 << 17);
}

TEST_F(Metered, ABufferFreedOnAnotherThreadGoesToThatThreadsCache) {
  auto buffer = std::make_unique<Buffer>(1 << 16);
  std::int64_t cached_there = 0, allocated_there = 0;
  std::thread([&] {
    trim_memory();  // a thread has a cache once it has used one
    buffer.reset();
    cached_there = meter_->held();
    const Buffer again(1 << 16);
    allocated_there = meter_->allocations();
  }).join();
  EXPECT_EQ(cached_there, 1 << 16);
  EXPECT_EQ(allocated_there, 1);
  EXPECT_EQ(meter_->held(), 0) << "a thread keeps nothing when it ends";
}

/// Made before its thread's arena, so destroyed after it.
struct LastToGo {
  Buffers buffers;
};

TEST_F(Metered, ABufferFreedAtThreadExitIsReturned) {
  std::thread([this] {
    thread_local LastToGo last;
    last.buffers.reserve(1);
    const MeterScope scope(meter_);
    last.buffers.push_back(std::make_unique<Buffer>(1 << 16));
  }).join();
  EXPECT_EQ(meter_->peak(), 1 << 16);
  EXPECT_EQ(meter_->held(), 0);
}

TEST_F(Metered, ThreadsShareAMeter) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      const MeterScope scope(meter_);
      for (int round = 0; round < 100; ++round) allocate({1 << 12, 1 << 14});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(meter_->held(), 0);
  EXPECT_EQ(meter_->allocations(), 8);
  EXPECT_GE(meter_->peak(), (1 << 12) + (1 << 14));
  EXPECT_LE(meter_->peak(), 4 * ((1 << 12) + (1 << 14)));
}

}  // namespace
}  // namespace ropewalk
