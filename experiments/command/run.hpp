// `ropewalk run`, on this machine.
#pragma once

#include "experiments/command/plans.hpp"
#include "experiments/run/sweep.hpp"

namespace ropewalk {

/// Trains and evaluates what the configs ask for, on all ranks if there are several, of which this one leads. Returns the exit
/// code.
int run_configs(const ConfigArguments& arguments, SweepOptions options);

/// The same command on a rank that does not lead: the leader does all that the user is to notice.
int follow_run(const SweepOptions& options);

}  // namespace ropewalk
