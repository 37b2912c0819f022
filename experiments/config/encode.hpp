// Settings to a tree, and a tree to YAML text: the resolved config saved with each run. The inverse of decode and parse.
#pragma once

#include <string>

#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

/// Every setting with its value, in the order declared; a selection's `kind` first. The tree has no places.
Tree encode(const Fields& fields);
Tree encode(const Field& field);

/// Block style: a map a level, everything inside a list on one line. Ends with a line end.
std::string to_yaml(const Tree& tree);

/// On one line: `{kind: rope, base: 500.0}`.
std::string flow_yaml(const Tree& tree);

}  // namespace ropewalk::config
