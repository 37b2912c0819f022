#include "framework/optimize/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ropewalk::optimize {
namespace {

class Constant final : public Schedule {
 protected:
  double after(double) const override { return 1; }

 public:
  /// A floor would change nothing here, so it is not a setting.
  void describe(Fields& fields) override { describe_warmup(fields); }
};

class Linear final : public Schedule {
 protected:
  double after(double progress) const override { return floor() + (1 - floor()) * (1 - progress); }
};

/// Loshchilov and Hutter 2017, eq. 5, without restarts.
class Cosine final : public Schedule {
 protected:
  double after(double progress) const override {
    return floor() + (1 - floor()) * 0.5 * (1 + std::cos(std::numbers::pi * progress));
  }
};

}  // namespace

void Schedule::describe_warmup(Fields& fields) {
  fields.add("warmup", warmup_, "steps over which the rate grows linearly to its peak").at_least(0).limit_to(1e12);
}

void Schedule::describe(Fields& fields) {
  describe_warmup(fields);
  fields.add("floor", floor_, "factor on the peak rate at the end").at_least(0).at_most(1);
}

double Schedule::factor(Index step, Index steps) const {
  if (step < warmup_) return static_cast<double>(step + 1) / static_cast<double>(warmup_);
  const double span = static_cast<double>(std::max<Index>(1, steps - warmup_));
  return after(static_cast<double>(step - warmup_) / span);
}

const Registry<Schedule>& schedules() {
  static const Registry<Schedule> registry{
      {"constant", "the peak rate throughout", "1", "", make_kind<Schedule, Constant>},
      {"linear", "a straight line from the peak to the floor", "floor + (1 - floor)(1 - t)", "", make_kind<Schedule, Linear>},
      {"cosine", "half a cosine from the peak to the floor", "floor + (1 - floor)(1 + cos(pi t))/2", "Loshchilov and Hutter 2017",
       make_kind<Schedule, Cosine>},
  };
  return registry;
}

}  // namespace ropewalk::optimize
