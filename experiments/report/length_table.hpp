// A metric by evaluated length, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/collection.hpp"
#include "experiments/report/metric.hpp"

namespace ropewalk {

/// Two tables with a row for each group of runs that differ only in their seed and a column for each evaluated length: the
/// metric, mean over the seeds that are done with its interval, and its ratio to the same run's value at the trained length.
std::string format_length_tables(const std::vector<ReportedRun>& runs, const Metric& metric, const std::string& protocol);

}  // namespace ropewalk
