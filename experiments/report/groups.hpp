// Runs that differ only in their seed, or that agree in what is asked for, and what tells such groups apart.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/collection.hpp"

namespace ropewalk {

struct Group {
  /// "rope, base 500, length 64": the positional scheme, or the parts of a hybrid, "sinusoidal + alibi"; for `learned` what it
  /// does beyond its table, which decides its curve; then every setting that differs among the groups to which it applies: a
  /// scheme's among those of that scheme; settings of `evaluate` and
  /// `record`, and the batch, only where nothing else tells the groups apart. No two groups have the same.
  /// (scripts/ropewalk/series.py labels figures by the same rule.)
  std::string label;
  std::vector<const ReportedRun*> runs;  ///< one a seed, or more if grouped by some settings alone
};

/// Groups in the order of their schemes, then of what else they differ in, numbers by size. With `paths`, runs that agree in
/// these settings are one group, and the label names them. Pointers are into `runs`.
std::vector<Group> group_runs(const std::vector<ReportedRun>& runs, const std::vector<std::string>& paths = {});

/// The settings in which a run of one group and one of another have to agree to be a pair: the seed; if the groups are made by
/// `paths`, also what else differs, unless it is of the section of a kind among them.
std::vector<std::string> pairing_settings(const std::vector<ReportedRun>& runs, const std::vector<std::string>& paths);

/// Paths of the settings, `seed` left out, that do not have one value in all of `settings`; to be missing counts as a value.
std::vector<std::string> differing_settings(const std::vector<const Settings*>& settings);

}  // namespace ropewalk
