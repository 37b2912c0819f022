// Text from files, for a terminal.
#pragma once

#include <string>

namespace ropewalk {

/// The text with every control character, such as those that move a cursor or change colours, shown as `\x1b`; lines stay lines.
std::string printable(const std::string& text);

}  // namespace ropewalk
