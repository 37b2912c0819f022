// `ropewalk evaluate`: what was measured, for a terminal.
#pragma once

#include <string>

#include "experiments/record/run_record.hpp"

namespace ropewalk {

/// A table for each protocol: a row a length, a column a metric; `-` where nothing was scored. Of attention, if it was looked
/// at, a table for each quantity: a row a head, a column a length.
std::string evaluation_table(const EvaluateSeries& evaluate);

}  // namespace ropewalk
