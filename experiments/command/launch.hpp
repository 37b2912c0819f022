// `ropewalk run --launcher slurm`.
#pragma once

#include <string>
#include <vector>

#include "experiments/launch/launch.hpp"

namespace ropewalk {

/// Submits one job array for each config, says its number, and returns; 0 also where nothing is left to run. Throws `UsageError`
/// and `FileError`; the arrays of configs before the one to blame are submitted then.
int launch_arrays(const std::vector<std::string>& configs, const std::vector<std::string>& sets, const LaunchOptions& options);

}  // namespace ropewalk
