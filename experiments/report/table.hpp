// Text in columns, for a terminal.
#pragma once

#include <string>
#include <vector>

namespace ropewalk {

using Row = std::vector<std::string>;

/// Rows of equal length under the first one, the header, with a rule between; columns as wide as their widest cell, aligned left,
/// nothing after the last character of a line. Cells are UTF-8, one column a code point.
std::string format_table(const std::vector<Row>& rows);

}  // namespace ropewalk
