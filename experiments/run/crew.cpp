#include "experiments/run/crew.hpp"

#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace ropewalk {
namespace {

struct Job {
  Index count;
  Index next = 0;
  Index finished = 0;
  std::shared_ptr<Meter> meter;
  const std::function<void(Index)>* piece;
  std::exception_ptr failure;
};

}  // namespace

struct Crew::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::list<Job*> open;  ///< jobs with pieces nobody has taken
  bool closing = false;
  std::vector<std::thread> helpers;

  /// Takes the next piece of a job; the lock is held.
  Index take(Job& job) {
    const Index index = job.next++;
    if (job.next == job.count) open.remove(&job);
    return index;
  }

  /// Does one piece with the lock released.
  void work(Job& job, Index index, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*job.piece)(index);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !job.failure) job.failure = failure;
    if (++job.finished == job.count) changed.notify_all();
  }

  void help(const std::function<bool()>& done, std::optional<std::chrono::milliseconds> interval = {}) {
    std::optional<MeterScope> scope;
    std::shared_ptr<Meter> charged;
    std::unique_lock lock(mutex);
    while (true) {
      const auto called = [&] { return closing || !open.empty() || done(); };
      while (!called()) {
        if (interval) {
          changed.wait_for(lock, *interval);
        } else {
          changed.wait(lock);
        }
      }
      if (closing || done()) return;
      Job& job = *open.front();
      const Index index = take(job);
      if (job.meter != charged || !scope) {
        scope.reset();
        charged = job.meter;
        scope.emplace(charged);
      }
      work(job, index, lock);
    }
  }
};

Crew::Crew(int helpers) : state_(std::make_unique<State>()) {
  for (int i = 0; i < helpers; ++i) {
    state_->helpers.emplace_back([state = state_.get()] { state->help([] { return false; }); });
  }
}

Crew::~Crew() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->closing = true;
  }
  state_->changed.notify_all();
  for (std::thread& helper : state_->helpers) helper.join();
}

void Crew::run(Index count, const std::shared_ptr<Meter>& meter, const std::function<void(Index)>& piece) {
  if (count == 0) return;
  Job job{count, 0, 0, meter, &piece, nullptr};
  std::unique_lock lock(state_->mutex);
  state_->open.push_back(&job);
  state_->changed.notify_all();
  while (job.next < job.count) state_->work(job, state_->take(job), lock);
  state_->changed.wait(lock, [&] { return job.finished == job.count; });
  if (job.failure) std::rethrow_exception(job.failure);
}

void Crew::help(const std::function<bool()>& done, std::optional<std::chrono::milliseconds> interval) {
  state_->help(done, interval);
}

void Crew::wake() {
  // Through the lock: whoever has just asked `done()` is then waiting, and does not miss this.
  { const std::lock_guard lock(state_->mutex); }
  state_->changed.notify_all();
}

}  // namespace ropewalk
