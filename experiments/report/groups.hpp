// Runs that differ only in their seed, and what tells such groups apart.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/collection.hpp"

namespace ropewalk {

struct Group {
  std::string label;                     ///< "position rope, base 500"; for a single group its name
  std::vector<const ReportedRun*> runs;  ///< one a seed
};

/// Groups in the order of what they differ in, numbers by size. Pointers are into `runs`.
std::vector<Group> group_runs(const std::vector<ReportedRun>& runs);

enum class Absence { ignored, counts_as_a_value };

/// Paths of the settings, `seed` left out, that do not have one value in all of `settings`. A setting that only some have, such
/// as the base of rope beside alibi, differs among those that have it, or also from those that do not.
std::vector<std::string> differing_settings(const std::vector<const Settings*>& settings, Absence absence);

}  // namespace ropewalk
