// `ropewalk run --launcher slurm`: a sweep as a job array.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config/launch_settings.hpp"
#include "experiments/config/plan.hpp"

namespace ropewalk {

struct LaunchOptions {
  std::filesystem::path out = "results";
  std::vector<std::string> run_options;  ///< of `ropewalk run` in each element
};

struct Launch {
  std::string job;                  ///< Slurm's number of the array
  std::size_t elements = 0;         ///< of the array
  std::size_t runs = 0;             ///< that are not over
  std::filesystem::path directory;  ///< `out`/<name>/launch/<UTC>: config.yaml, array.sh, and a log of each element
};

/// Submits the runs of a plan that are not over and returns at once; nothing if all of them are. The array runs a copy of the
/// config, so that it can be edited while the array is queued. Throws `FileError` if Slurm or the file system refuses, and then
/// leaves nothing behind; `UsageError` and `FileError` also for a text that the runs could not use.
std::optional<Launch> launch(const config::Plan& plan, const config::LaunchSettings& settings, const LaunchOptions& options);

}  // namespace ropewalk
