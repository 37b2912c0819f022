// `ropewalk status`: what is done, running, failed and still to come.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/run/status.hpp"

namespace ropewalk {

struct StatusArguments {
  std::filesystem::path directory;
  RunFilter filter;
  bool all = false;   ///< also list what is done or waiting, however much it is
  bool json = false;  ///< for programs
};

/// Prints one or the other; returns the exit code: 3 if a file is damaged, else 0. Throws `FileError` and `UsageError`.
int show_status(const StatusArguments& arguments);

/// For each experiment how many runs are in which state, its notes and tags, and a line a run. Of many runs those that are done
/// or waiting are left out unless `all` are asked for.
std::string status_text(const std::vector<ExperimentStatus>& experiments, bool all);

/// {"experiments": [{"name", "directory", "counts": {state: n}, "runs": [{"id", "state", …}]}]}; null for what is not known.
std::string status_json(const std::vector<ExperimentStatus>& experiments);

}  // namespace ropewalk
