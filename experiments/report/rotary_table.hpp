// What the bases of rotary schemes say about context lengths, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "experiments/record/run_record.hpp"
#include "experiments/report/groups.hpp"

namespace ropewalk {

struct RotaryRow {
  std::string label;
  RotaryFacts facts;
};

/// A table with what its columns mean; "" without rows.
std::string format_rotary_table(const std::vector<RotaryRow>& rows);

/// The same with a row for each group of runs that turn, or several if they do not all turn alike.
std::string format_rotary_table(const std::vector<Group>& groups);

}  // namespace ropewalk
