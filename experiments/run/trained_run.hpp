// A run as its directory has it, trained or under way, read and never written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/config/plan.hpp"
#include "experiments/record/checkpoint.hpp"

namespace ropewalk {

struct TrainedRun {
  std::filesystem::path directory;
  config::RunConfig config;  ///< as it was trained; its YAML is that of the last stage, as if there were no other
  std::string status;        ///< as in run.h5
  std::string data;          ///< fingerprint of the text; empty if unknown
  Index step = 0;            ///< of the checkpoint
  std::vector<NamedArray> parameters;
};

/// Reads config.yaml, run.h5 and checkpoint.h5. Throws `FileError` if one of them is missing or damaged, or if they are not of
/// the same run.
TrainedRun read_trained_run(const std::filesystem::path& directory);

/// True for a file that a run, or the index of its experiment, keeps: not a place for anything else.
bool belongs_to_a_run(const std::filesystem::path& file);

}  // namespace ropewalk
