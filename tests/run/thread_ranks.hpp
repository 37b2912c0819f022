// Ranks that are threads of one process: what needs several ranks is tested without MPI.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "experiments/run/ranks.hpp"

namespace ropewalk {

/// Messages on their way, by sender and receiver.
class Mail {
 public:
  void put(int from, int to, const void* data, std::size_t bytes) {
    const auto* begin = static_cast<const char*>(data);
    {
      const std::lock_guard lock(mutex_);
      boxes_[{from, to}].emplace_back(begin, begin + bytes);
    }
    came_.notify_all();
  }

  void get(int from, int to, void* data, std::size_t bytes) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[{from, to}];
    if (!came_.wait_for(lock, std::chrono::seconds(60), [&] { return !box.empty(); })) {
      throw std::runtime_error(fmt::format("rank {} waited a minute for rank {}", to, from));
    }
    check(box.front().size() == bytes, "rank {} expected {} bytes of rank {}, got {}", to, bytes, from, box.front().size());
    if (bytes > 0) std::memcpy(data, box.front().data(), bytes);
    box.pop_front();
  }

  bool has(int from, int to) {
    const std::lock_guard lock(mutex_);
    return !boxes_[{from, to}].empty();
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::pair<int, int>, std::deque<std::vector<char>>> boxes_;
};

class ThreadRanks : public Ranks {
 public:
  ThreadRanks(int rank, int count, Mail& messages, Mail& broadcasts)
      : rank_(rank), count_(count), messages_(messages), broadcasts_(broadcasts) {}

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int cores() const override { return 1; }
  void send(int to, const void* data, std::size_t bytes) override { messages_.put(rank_, to, data, bytes); }
  void receive(int from, void* data, std::size_t bytes) override { messages_.get(from, rank_, data, bytes); }
  bool pending(int from) override { return messages_.has(from, rank_); }
  void broadcast(void* data, std::size_t bytes) override {
    if (!leads()) return broadcasts_.get(0, rank_, data, bytes);
    for (int to = 1; to < count_; ++to) broadcasts_.put(0, to, data, bytes);
  }
  [[noreturn]] void abort(const std::string& why) override { throw std::logic_error("aborted: " + why); }

 private:
  int rank_, count_;
  Mail &messages_, &broadcasts_;
};

/// Runs `body` on so many ranks at once, the first on the calling thread, and throws again what one of them threw.
inline void on_ranks(int count, const std::function<void(Ranks&)>& body) {
  Mail messages, broadcasts;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
  const auto run = [&](int rank) {
    ThreadRanks ranks(rank, count, messages, broadcasts);
    try {
      body(ranks);
    } catch (...) {
      failures[static_cast<std::size_t>(rank)] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int rank = 1; rank < count; ++rank) others.emplace_back(run, rank);
  run(0);
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace ropewalk
