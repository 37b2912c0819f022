// The known name a mistyped one was probably meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// Letters inserted, dropped, replaced or swapped with their neighbour to turn `a` into `b` (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, case aside: within two edits of five letters, or one the beginning of the other.
/// Empty if none is near.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace ropewalk
