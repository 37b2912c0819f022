// Progress of runs on a terminal, or as plain lines anywhere else.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "experiments/run/observer.hpp"
#include "experiments/run/sweep.hpp"

namespace ropewalk {

/// On a terminal: a line for each run under way and one for the sweep, redrawn in place. Elsewhere: a line when a run begins and
/// ends, and one now and then between.
class Console final : public Observer {
 public:
  /// `redraws`: standard output may be a terminal. mpirun makes it one for every rank, whatever its own is.
  explicit Console(bool redraws);

  void planned(std::size_t runs) override;
  void begun(const std::string& id, Index step) override;
  void held(const std::string& id) override;
  void moved(const RunProgress& progress) override;
  void skipped(const std::string& id, const std::string& status, const std::string& message) override;
  void ended(const std::string& id, const std::string& status, const std::string& message) override;

  /// The last word: how many runs ended how.
  void close(const SweepResult& result);

 private:
  using Clock = std::chrono::steady_clock;

  void say(const std::string& line);
  void draw();
  void erase();
  std::string sweep_line() const;

  std::size_t runs_ = 0;
  const bool terminal_;
  std::mutex mutex_;
  std::map<std::string, RunProgress> active_;
  std::map<std::string, Clock::time_point> said_;
  std::size_t ended_ = 0, trained_ = 0;
  int drawn_ = 0;
  Clock::time_point began_ = Clock::now(), drawn_at_{};
};

}  // namespace ropewalk
