// Differences from a baseline, run by run of the same seed.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/groups.hpp"
#include "experiments/report/statistics.hpp"

namespace ropewalk {

struct Pair {
  const ReportedRun* run;
  const ReportedRun* baseline;
};

/// Runs of a group with those of the baseline that agree with them in the settings `pairing`; what has no partner is left out.
/// Throws `UsageError` if a run has several.
std::vector<Pair> pairs_of(const Group& group, const Group& baseline, const std::vector<std::string>& pairing);

/// "lower" or "higher" if the whole interval is on that side of 0, else "undecided"; so is a single difference.
std::string sign_of(const std::optional<Interval>& interval);

/// The group with this label. Throws `UsageError`, with the labels there are.
const Group& find_baseline(const std::vector<Group>& groups, const std::string& label);

}  // namespace ropewalk
