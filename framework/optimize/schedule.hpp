// How the learning rate moves over a training.
#pragma once

#include "framework/core/registry.hpp"
#include "framework/core/shape.hpp"

namespace ropewalk::optimize {

class Schedule {
 public:
  virtual ~Schedule() = default;
  virtual void describe(Fields& fields);
  /// Factor on the peak rate for step 0 … steps − 1: linear from 1/warmup to 1 over the first `warmup` steps, then by the kind.
  double factor(Index step, Index steps) const;
  Index warmup() const { return warmup_; }

 protected:
  /// Factor after the warm-up; progress runs from 0 to 1.
  virtual double after(double progress) const = 0;
  double floor() const { return floor_; }
  void describe_warmup(Fields& fields);

 private:
  Index warmup_ = 100;
  double floor_ = 0;
};

/// constant, linear, cosine
const Registry<Schedule>& schedules();

}  // namespace ropewalk::optimize
