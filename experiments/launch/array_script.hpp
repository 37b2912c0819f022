// The batch script of a job array: every element runs its share of a plan, and queues again when its time is up.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/config/launch_settings.hpp"
#include "experiments/launch/division.hpp"

namespace ropewalk {

/// Everything an element needs to know; paths are absolute.
struct ArrayJob {
  std::string name;
  config::LaunchSettings settings;
  Division division;
  std::filesystem::path program;            ///< ropewalk
  std::filesystem::path working_directory;  ///< that `task.corpus` is relative to
  std::filesystem::path directory;          ///< has config.yaml and gets <element>.log
  std::filesystem::path out;                ///< of results
  std::vector<std::string> run_options;     ///< further ones of `ropewalk run`
};

std::string array_script(const ArrayJob& job);

}  // namespace ropewalk
