// Settings that were given and would have no effect, because a sweep gives others.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/sweep.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// Complains of a value that `--set`, or the file `origin` itself, gives to a setting that an inherited sweep varies: it was
/// meant to win, and no run would have it. A value beside the sweep, in the same file, is its default and is fine.
void complain_of_overridden(const Tree& config, const std::vector<Varied>& settings, const std::string& origin,
                            Complaints& complaints);

}  // namespace ropewalk::config
