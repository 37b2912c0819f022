// Checks of raw text before the YAML library sees it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ropewalk::config {

struct BadByte {
  int line;    ///< 1-based
  int column;  ///< 1-based, in bytes
  unsigned char value;
};

/// The first byte that is neither part of valid UTF-8 nor allowed in a text file (control characters other than tab and
/// line ends: the YAML library takes 0x04 for the end of the file and silently drops the rest).
std::optional<BadByte> find_bad_byte(std::string_view text);

/// Where text begins after a byte order mark: 0 or 3.
std::size_t after_byte_order_mark(std::string_view text);

/// False if the quoted YAML text that begins at `start`, after an anchor perhaps, runs to the end of the file. The YAML
/// library takes such a quote for closed if the file ends with a line end.
bool is_closed(std::string_view text, std::size_t start);

}  // namespace ropewalk::config
