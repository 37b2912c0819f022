#include "framework/core/memory.hpp"

#include <bit>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

#include "framework/core/error.hpp"

namespace ropewalk {
namespace {

constexpr std::size_t alignment = 64;

/// Quarter steps of powers of two: at most a quarter is wasted, and nearby sizes share blocks.
std::size_t size_class(std::size_t bytes) {
  if (bytes <= 4 * alignment) return (bytes + alignment - 1) / alignment * alignment + (bytes == 0 ? alignment : 0);
  const std::size_t step = std::bit_floor(bytes - 1) / 4;
  return (bytes + step - 1) / step * step;
}

struct Block {
  void* data;
  std::shared_ptr<Meter> meter;
};

void release(const Block& block, std::size_t bytes) {
  ::operator delete(block.data, std::align_val_t(alignment));
  if (block.meter) block.meter->add(-static_cast<std::int64_t>(bytes));
}

/// Outlives the arena of its thread, so that a buffer freed at thread exit knows that the arena is gone.
thread_local bool arena_alive = false;

class Arena {
 public:
  Arena() { arena_alive = true; }
  ~Arena() {
    trim();
    arena_alive = false;
  }

  Block take(std::size_t bytes) {
    std::vector<Block>& blocks = free_[bytes];
    if (!blocks.empty()) {
      Block block = std::move(blocks.back());
      blocks.pop_back();
      return block;
    }
    void* data = ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
    check(data != nullptr, "no memory for a tensor of {} MiB: the model, the batch or a length is too large for this machine",
          bytes >> 20);
    if (meter) meter->add(static_cast<std::int64_t>(bytes));
    return {data, meter};
  }

  void give(Block block, std::size_t bytes) { free_[bytes].push_back(std::move(block)); }

  void trim() {
    for (auto& [bytes, blocks] : free_) {
      for (const Block& block : blocks) release(block, bytes);
    }
    free_.clear();
  }

  std::shared_ptr<Meter> meter;

 private:
  std::unordered_map<std::size_t, std::vector<Block>> free_;
};

thread_local Arena arena;

}  // namespace

void Meter::add(std::int64_t bytes) {
  if (bytes > 0) ++allocations_;
  const std::int64_t held = held_ += bytes;
  std::int64_t peak = peak_.load();
  while (held > peak && !peak_.compare_exchange_weak(peak, held)) {
  }
}

MeterScope::MeterScope(std::shared_ptr<Meter> meter) : previous_(std::move(arena.meter)) {
  arena.trim();
  arena.meter = std::move(meter);
}

MeterScope::~MeterScope() {
  arena.trim();
  arena.meter = std::move(previous_);
}

void trim_memory() { arena.trim(); }

Buffer::Buffer(std::size_t bytes) : bytes_(size_class(bytes)) {
  Block block = arena.take(bytes_);
  data_ = block.data;
  meter_ = std::move(block.meter);
}

Buffer::~Buffer() {
  Block block{data_, std::move(meter_)};
  if (arena_alive) {
    arena.give(std::move(block), bytes_);
  } else {
    release(block, bytes_);
  }
}

}  // namespace ropewalk
