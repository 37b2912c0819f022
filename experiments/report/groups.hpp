// Runs that differ only in their seed, and what tells such groups apart.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/collection.hpp"

namespace ropewalk {

struct Group {
  /// "rope, base 500, length 64": the positional scheme; for `learned` what it does beyond its table, which decides its curve;
  /// then every setting that differs among the groups to which it applies: a scheme's among those of that scheme. No two groups
  /// have the same. (scripts/ropewalk/series.py labels figures by the same rule.)
  std::string label;
  std::vector<const ReportedRun*> runs;  ///< one a seed
};

/// Groups in the order of their schemes, then of what else they differ in, numbers by size. Pointers are into `runs`.
std::vector<Group> group_runs(const std::vector<ReportedRun>& runs);

/// Paths of the settings, `seed` left out, that do not have one value in all of `settings`; to be missing counts as a value.
std::vector<std::string> differing_settings(const std::vector<const Settings*>& settings);

}  // namespace ropewalk
