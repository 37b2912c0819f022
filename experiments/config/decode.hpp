// A tree into settings, with every mistake found on the way.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

/// Writes the tree's values into the settings `fields` points at. Settings the tree leaves out keep their values, except that
/// a selection it mentions starts from the defaults of its kind. Nothing stops at a mistake: unknown keys, wrong types, values
/// out of bounds, unknown words and kinds, and lists of a wrong length all become complaints, and the settings are then not
/// to be used. `beside`: keys that a config has beside these settings, and that somebody else reads; an unknown one may be meant
/// to be one of them.
void decode(const Tree& tree, Fields& fields, Complaints& complaints, const std::vector<std::string>& beside = {});

}  // namespace ropewalk::config
