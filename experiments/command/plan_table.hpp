// `ropewalk plan`: the runs of a config before anything runs.
#pragma once

#include <string>

#include "experiments/config/plan.hpp"
#include "experiments/run/sweep.hpp"

namespace ropewalk {

/// A line a run: id, what sets it apart, parameters, FLOPs, estimated time and memory, where it stands and what it starts from;
/// then what is left and how long `run` with the same options takes on this machine; and what is known of rotary schemes before
/// they are trained.
std::string plan_table(const config::Plan& plan, const SweepOptions& options);

}  // namespace ropewalk
