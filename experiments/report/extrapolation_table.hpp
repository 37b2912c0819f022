// How far groups of runs carry beyond their trained length, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/measure.hpp"

namespace ropewalk {

/// A row for each group: trained length, effective length, tokens gained and area, see extrapolation.hpp, with what they mean; ""
/// if no run is evaluated beyond its trained length.
std::string format_extrapolation_table(const std::vector<Group>& groups, const Question& question);

}  // namespace ropewalk
