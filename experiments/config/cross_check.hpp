// Combinations of settings that cannot work, each setting being fine by itself.
#pragma once

#include "experiments/config/complaints.hpp"
#include "experiments/config/settings.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// Complains of impossible combinations at the place of the setting to blame. Settings that are complained of already
/// are not held against others. `tree` is what `settings` were decoded from.
void cross_check(const Tree& tree, const Settings& settings, Complaints& complaints);

/// Where the value at a dotted path is written, or, if it is left out, the nearest section around it that is there.
Place place_of(const Tree& tree, const std::string& path);

}  // namespace ropewalk::config
