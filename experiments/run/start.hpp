// What a run starts from: the run without its last stage, the run that `train.from` names, or nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "experiments/config/plan.hpp"
#include "experiments/record/checkpoint.hpp"
#include "experiments/record/run_record.hpp"

namespace ropewalk {

struct Start {
  std::string name;       ///< "run <id> at step <n>"
  Checkpoint checkpoint;  ///< of the run started from, whose parameters are taken
  bool same_scheme;       ///< false: what is the positional scheme's own is not taken
  RunRecord record;       ///< what was measured of it
};

/// Reads what a run in `directory` starts from; nothing if its parameters are drawn. Throws `FileError` if that is not there, or
/// is not done.
std::optional<Start> start_of(const config::RunConfig& config, const std::filesystem::path& directory);

/// `Start::name` as it is on disk now, of a run that `train.from` names; empty if there is none that is
/// done and can be read.
std::string start_now(const config::RunConfig& config);

/// Throws if a run cannot start from what it names: `UsageError` if the parameters do not go together, `FileError` if the run
/// that `train.from` names is not there, or is not done. `before`: the run it starts a stage from, or null.
void expect_start(const config::RunConfig& config, const config::RunConfig* before);

/// Throws if a run of the plan cannot be trained: see `expect_trainable` and `expect_start`.
void expect_ready(const config::RunConfig& config, const config::Plan& plan);

}  // namespace ropewalk
