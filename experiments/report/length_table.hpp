// A metric by evaluated length, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/measure.hpp"

namespace ropewalk {

/// Two tables with a row for each group and a column for each evaluated length: the metric, mean over the runs that count with
/// its interval, the best of a column marked; and its ratio to the same run's value at the trained length.
std::string format_length_tables(const std::vector<Group>& groups, const Question& question);

/// All lengths at which any run of the groups is evaluated, ascending.
std::vector<std::int64_t> lengths_of(const std::vector<Group>& groups);

}  // namespace ropewalk
