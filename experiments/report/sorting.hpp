// In which order a report shows its groups.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/measure.hpp"

namespace ropewalk {

/// Sorts groups by `key`, best first, those without a value last: an evaluated length, for the metric there; effective_length,
/// tokens_gained or area; or run, which leaves them in the order of their settings. Throws `UsageError` for anything else.
void sort_groups(std::vector<Group>& groups, const std::string& key, const Question& question);

}  // namespace ropewalk
