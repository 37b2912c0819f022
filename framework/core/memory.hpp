// Storage of tensors: a caching arena per thread, and meters that tell how much a run has held at most.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ropewalk {

/// Counts the bytes of tensor storage that a run's threads hold, cached blocks included. Safe to share between threads.
class Meter {
 public:
  void add(std::int64_t bytes);
  std::int64_t held() const { return held_.load(); }
  std::int64_t peak() const { return peak_.load(); }
  /// How often storage was asked of the system rather than found in a cache.
  std::int64_t allocations() const { return allocations_.load(); }

 private:
  std::atomic<std::int64_t> held_{0}, peak_{0}, allocations_{0};
};

/// While it lives, what this thread allocates is charged to `meter`. On entry and exit the thread's cache is emptied, so that no
/// block of one run is reused by another.
class MeterScope {
 public:
  explicit MeterScope(std::shared_ptr<Meter> meter);
  ~MeterScope();
  MeterScope(const MeterScope&) = delete;
  MeterScope& operator=(const MeterScope&) = delete;

 private:
  std::shared_ptr<Meter> previous_;
};

/// Gives this thread's cached blocks back to the system.
void trim_memory();

/// A block of storage, aligned to 64 bytes, uninitialised; goes to the freeing thread's cache.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* data() const { return data_; }

 private:
  void* data_;
  std::size_t bytes_;
  std::shared_ptr<Meter> meter_;
};

}  // namespace ropewalk
