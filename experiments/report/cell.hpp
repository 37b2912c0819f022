// Numbers over several runs as cells of a table.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/measure.hpp"
#include "experiments/report/statistics.hpp"
#include "experiments/report/table.hpp"

namespace ropewalk {

inline constexpr const char* kNothing = "-";  ///< a cell without a value

/// The mean with its interval in brackets, if it has one and the values are not all the same: `5.50 [5.00, 6.00]`, after a `≥` if
/// one of the values is `at_least`.
std::string format_cell(const std::vector<Measured>& values, int decimals, Bootstrap& bootstrap);

/// The same with a sign before every number and what `sign_of` the interval says behind: `+0.50 [+0.25, +0.75] higher`.
std::string format_difference(const std::vector<double>& differences, int decimals, Bootstrap& bootstrap);

/// The first cells of a group: its label, and how many of its runs count, `1 of 2`.
Row row_of(const Group& group, const Question& question);

/// `: mean over seeds [range over seeds]`; nothing if no group has two runs that count.
std::string format_meaning(const std::vector<Group>& groups, const Question& question);

}  // namespace ropewalk
