// The runs of a config that is read.
#pragma once

#include <string>

#include "experiments/config/complaints.hpp"
#include "experiments/config/plan.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// Expands the sweep of a config, checks every point, and resolves it to runs, each after the ones that its earlier stages are.
/// `origin`: the file that was asked for. Throws `ConfigErrors` with the complaints that there were before and all that it adds.
Plan plan_runs(Tree config, const std::string& origin, Complaints& complaints);

}  // namespace ropewalk::config
