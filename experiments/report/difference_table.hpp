// What groups of runs differ by from one of them, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/measure.hpp"

namespace ropewalk {

/// A row for each other group and a column for each length: the mean over pairs of the metric less that of the baseline's run of
/// the same seed, its interval, and on which side of 0 the whole of it is. `pairing`: see `pairing_settings`.
std::string format_difference_table(const std::vector<Group>& groups, const std::string& baseline, const Question& question,
                                    const std::vector<std::string>& pairing);

}  // namespace ropewalk
