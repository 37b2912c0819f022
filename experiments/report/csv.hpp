// Every number of a report for other programs.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/collection.hpp"

namespace ropewalk {

/// One row for each run, protocol and length of its last evaluation, done or not: run, status, seed, the settings in which the
/// runs differ (dotted paths), step, protocol, length, trained_length, each metric, scored. Numbers unrounded; empty where a run
/// has none. Quoted as RFC 4180 has it.
std::string format_csv(const std::vector<ReportedRun>& runs);

}  // namespace ropewalk
