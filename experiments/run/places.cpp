#include "experiments/run/places.hpp"

#include <algorithm>

namespace ropewalk {
namespace {

/// Runs side by side, moved from the end of one to the end of the next.
class Schedule {
 public:
  Schedule(const std::vector<Slot>& slots, const Places& places) : slots_(slots), places_(places), phase_(slots.size()) {}

  double seconds() {
    double seconds = 0;
    for (begin_what_can(); !active_.empty(); begin_what_can()) seconds += move_to_next_end();
    return seconds;
  }

 private:
  enum class Phase { waiting, active, over };
  struct Active {
    std::size_t slot;
    double left;  ///< seconds at the speed of `jobs` side by side
  };

  void begin_what_can() {
    while (first_ < slots_.size() && phase_[first_] != Phase::waiting) ++first_;
    for (std::size_t i = first_; i < slots_.size() && active_.size() < static_cast<std::size_t>(places_.jobs); ++i) {
      const std::optional<std::size_t>& before = slots_[i].before;
      if (phase_[i] != Phase::waiting || (before && phase_[*before] != Phase::over)) continue;
      phase_[i] = Phase::active;
      active_.push_back({i, slots_[i].seconds});
    }
  }

  double move_to_next_end() {
    const auto time_left = [&](const Active& run) { return run.left / speed(slots_[run.slot]); };
    double step = time_left(active_.front());
    for (const Active& run : active_) step = std::min(step, time_left(run));
    std::vector<Active> still;
    std::vector<std::size_t> ended;
    for (const Active& run : active_) {
      if (time_left(run) <= step) {
        ended.push_back(run.slot);
      } else {
        still.push_back({run.slot, run.left - step * speed(slots_[run.slot])});
      }
    }
    for (const std::size_t slot : ended) phase_[slot] = Phase::over;
    active_ = std::move(still);
    return step;
  }

  /// Relative to that of `jobs` side by side.
  double speed(const Slot& slot) const {
    return places_.threads_of_one(static_cast<int>(active_.size()), slot.shards) /
           places_.threads_of_one(places_.jobs, slot.shards);
  }

  const std::vector<Slot>& slots_;
  const Places places_;
  std::vector<Phase> phase_;
  std::vector<Active> active_;
  std::size_t first_ = 0;  ///< none before it waits
};

}  // namespace

double Places::threads_of_one(int active, Index shards) const {
  return std::min(static_cast<double>(threads) / static_cast<double>(active), static_cast<double>(shards));
}

double seconds_of_all(const std::vector<Slot>& slots, const Places& places) { return Schedule(slots, places).seconds(); }

}  // namespace ropewalk
