// YAML text to a tree. The only part of the program that knows the YAML library.
#pragma once

#include <optional>
#include <string>

#include "experiments/config/complaints.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// Whether places carry line and column: not for a value typed on the command line.
enum class Lines { shown, hidden };

/// Reads one YAML document. Refused, each with its place: text that is not UTF-8, a second document, duplicate keys, merge
/// keys `<<`, tags such as `!!str`, keys that are not plain. An empty document is a null tree; a syntax error is none.
std::optional<Tree> parse(const std::string& text, const std::string& origin, Lines lines, Complaints& complaints);

}  // namespace ropewalk::config
