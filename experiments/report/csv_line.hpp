// A line of a CSV file (RFC 4180, with \\n at its end).
#pragma once

#include <string>
#include <vector>

namespace ropewalk {

/// Cells with commas, quotes or line ends are quoted.
std::string csv_line(std::vector<std::string> cells);

}  // namespace ropewalk
