// What is wrong with a text that is no YAML, in words that help.
#pragma once

#include <string>
#include <string_view>

#include "experiments/config/complaints.hpp"

namespace ropewalk::config {

/// Complains of the error that the YAML library found at a place, whose line is 0 if lines are hidden. A tab in the indentation,
/// which it mistakes for other things, is named as what it is, where it is.
void add_syntax_error(std::string_view text, const Place& place, const std::string& message, Complaints& complaints);

}  // namespace ropewalk::config
