// A metric of one run by evaluated length.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "experiments/report/collection.hpp"
#include "experiments/report/metric.hpp"

namespace ropewalk {

/// Which evaluation of the runs is meant.
struct Evaluation {
  std::string protocol = "nonoverlapping";
  std::optional<std::int64_t> step = {};  ///< none: the last one of each run

  /// Whether a run enters the tables: one that is done; where a step is asked for, any that was evaluated at it.
  bool counts(const ReportedRun& run) const;

  /// "nonoverlapping", or "nonoverlapping, step 500" where a step is asked for.
  std::string name() const;
};

/// Values by length in tokens; NaN where the evaluation has none.
using Curve = std::map<std::int64_t, double>;

/// Empty if the run does not measure the metric, or has no such evaluation.
Curve curve_of(const ReportedRun& run, const Metric& metric, const Evaluation& evaluation);

/// The value at one length. None where there is none, or NaN.
std::optional<double> value_at(const ReportedRun& run, const Metric& metric, const Evaluation& evaluation, std::int64_t length);

/// What the run was trained on when it was evaluated, tokens; of an evaluation that it does not have, on what it was trained
/// last.
std::optional<std::int64_t> trained_length(const ReportedRun& run, const Evaluation& evaluation);

/// How many tokens each length [E] was scored on; empty if the run has no such evaluation.
std::vector<std::int64_t> scored_of(const ReportedRun& run, const Evaluation& evaluation);

/// Where the values [S, P, E] of step `s` and a protocol begin; none if there is no such protocol.
std::optional<std::size_t> place_of(const EvaluateSeries& evaluate, std::size_t s, const std::string& protocol);

}  // namespace ropewalk
