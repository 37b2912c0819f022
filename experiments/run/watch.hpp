// How far an evaluation is, and whether it is still wanted.
#pragma once

#include <functional>
#include <mutex>

#include "framework/core/shape.hpp"

namespace ropewalk {

/// Told the share of an evaluation that is done, by any thread, one at a time; returns false to give the evaluation up.
using EvaluationProgress = std::function<bool(double share)>;

/// Counts the tokens of pieces that are begun, on several threads.
class Watch {
 public:
  /// `total`: tokens of all pieces.
  Watch(Index total, const EvaluationProgress& progress) : total_(total), progress_(progress) {}

  /// False once the evaluation is given up.
  bool begin(Index tokens) {
    const std::lock_guard lock(mutex_);
    if (progress_ && !gave_up_) gave_up_ = !progress_(static_cast<double>(begun_) / static_cast<double>(total_));
    begun_ += tokens;
    return !gave_up_;
  }

  bool gave_up() const { return gave_up_; }

 private:
  const Index total_;
  const EvaluationProgress& progress_;
  std::mutex mutex_;
  Index begun_ = 0;
  bool gave_up_ = false;
};

}  // namespace ropewalk
