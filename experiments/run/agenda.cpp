#include "experiments/run/agenda.hpp"

#include <utility>

namespace ropewalk {
namespace {

constexpr std::chrono::milliseconds retry_interval{200};

}  // namespace

Agenda::Agenda(std::vector<std::optional<std::size_t>> before) : runs_(before.size()), waiting_(before.size()) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    runs_[i].before = before[i];
    if (before[i]) runs_[*before[i]].others_wait = true;
  }
}

std::optional<std::size_t> Agenda::find() const {
  if (stopped_) return std::nullopt;
  const Clock::time_point now = Clock::now();
  std::optional<std::size_t> left;
  bool all_left = true;
  for (std::size_t i = first_; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    const bool free = !run.before || runs_[*run.before].phase == Phase::over;
    const bool offered = run.phase == Phase::waiting && free && run.not_before <= now;
    if (offered && !run.left) return i;
    if (offered && !left) left = i;
    all_left = all_left && (run.left || run.phase == Phase::over);
  }
  return all_left ? left : std::nullopt;
}

std::optional<std::size_t> Agenda::take() {
  const std::lock_guard lock(mutex_);
  const std::optional<std::size_t> found = find();
  if (!found) return found;
  runs_[*found].phase = Phase::taken;
  --waiting_;
  while (first_ < runs_.size() && runs_[first_].phase == Phase::over) ++first_;
  return found;
}

void Agenda::over(std::size_t run) {
  const std::lock_guard lock(mutex_);
  runs_[run].phase = Phase::over;
}

bool Agenda::held_elsewhere(std::size_t run) {
  const std::lock_guard lock(mutex_);
  Run& held = runs_[run];
  const bool again = held.others_wait || !held.left;
  held.left = !held.others_wait;
  held.phase = again ? Phase::waiting : Phase::over;
  held.not_before = Clock::now() + retry_interval;
  if (again) ++waiting_;
  return again;
}

void Agenda::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

bool Agenda::ready() {
  const std::lock_guard lock(mutex_);
  return find().has_value();
}

bool Agenda::open() {
  const std::lock_guard lock(mutex_);
  return !stopped_ && waiting_ > 0;
}

std::size_t Agenda::waiting() {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

}  // namespace ropewalk
