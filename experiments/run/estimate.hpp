// What a run will cost, from its settings and a moment of real work on this machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "experiments/config/plan.hpp"
#include "experiments/run/pace.hpp"
#include "experiments/run/workload.hpp"

namespace ropewalk {

struct Estimate {
  Index parameters = 0;
  double flops = 0;        ///< training and evaluation, multiplications and additions counted apart
  double seconds = 0;      ///< while as many runs are side by side as there are jobs
  std::int64_t bytes = 0;  ///< of tensor storage, most at once
};

/// Measures the pace of each kind of run that it has not seen yet.
class Estimator {
 public:
  explicit Estimator(const Places& places) : places_(places) {}

  /// What is left of a run, or of its last stage, after `done` of its steps, on a text with so many held-out tokens.
  Estimate estimate(const config::RunConfig& run, Index held_out, Index done = 0);

 private:
  const Pace& pace_of(const config::Settings& settings);

  const Places places_;
  std::map<std::string, Pace> paces_;
};

}  // namespace ropewalk
