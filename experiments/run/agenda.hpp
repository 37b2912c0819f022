// Which of many runs comes next, where some start from others and some are held by other processes.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace ropewalk {

/// Runs by their number, in order. Safe to use from several threads.
class Agenda {
 public:
  /// `before[i]`: the run that has to be over before run i begins; nothing if none has to.
  explicit Agenda(std::vector<std::optional<std::size_t>> before);

  /// The first run that can begin now, which is then the caller's until it says how that went.
  std::optional<std::size_t> take();
  /// A run is over, however it ended.
  void over(std::size_t run);
  /// Another process has it. True if it is offered again: a little later and until it is over, if others here wait for it; else
  /// once more, when nothing else is left to do, in case that process has died meanwhile. False: then it had it still.
  bool held_elsewhere(std::size_t run);
  /// From here on nothing begins.
  void stop();

  /// Whether `take` would find one.
  bool ready();
  /// Whether there is, or may come, anything to take.
  bool open();
  /// How many have not begun.
  std::size_t waiting();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Phase { waiting, taken, over };
  struct Run {
    std::optional<std::size_t> before;
    bool others_wait = false;
    bool left = false;  ///< to another process, by all here
    Phase phase = Phase::waiting;
    Clock::time_point not_before = {};
  };

  std::optional<std::size_t> find() const;

  std::mutex mutex_;
  std::vector<Run> runs_;
  std::size_t first_ = 0;  ///< none before it waits
  std::size_t waiting_;
  bool stopped_ = false;
};

}  // namespace ropewalk
