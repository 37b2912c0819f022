// `ropewalk plan`: the runs of a config before anything runs.
#pragma once

#include <string>

#include "experiments/config/plan.hpp"

namespace ropewalk {

/// A line a run: id, what sets it apart, parameters, FLOPs, estimated time and memory; then the total, and what is
/// known of rotary schemes before they are trained.
std::string plan_table(const config::Plan& plan);

}  // namespace ropewalk
