// Every number of a report for other programs.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/collection.hpp"
#include "experiments/report/metric.hpp"

namespace ropewalk {

/// One row for each run, step, protocol and length that was evaluated, done or not: run, status, seed, the settings in which the
/// runs differ (dotted paths), step, stage, protocol, length, trained_length, each metric, scored, the ratio of the chosen metric
/// to its value at the trained length, and of the whole evaluation effective_length, tokens_gained and area (see
/// extrapolation.hpp), each of the first two with `_at_least`, 1 where it is no more than a bound. Numbers unrounded; empty where
/// a run has none. Quoted as RFC 4180 has it.
std::string format_csv(const std::vector<ReportedRun>& runs, const Metric& metric);

}  // namespace ropewalk
