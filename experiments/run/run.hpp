// One run: its directory, its training, its evaluations, and what survives of it at any moment.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/config/plan.hpp"
#include "experiments/record/run_record.hpp"
#include "experiments/run/crew.hpp"
#include "experiments/run/observer.hpp"
#include "experiments/run/ranks.hpp"

namespace ropewalk {

/// Where a run stands.
struct RunState {
  std::string status = "none";  ///< as in run.h5; "none" if there is none
  Index step = 0;               ///< optimizer steps that are saved
};

/// What a run's directory says of it. Throws `FileError` if what is there is damaged, or is of another config.
RunState state_of(const config::RunConfig& config, const std::filesystem::path& directory);

/// A run that is over is not run again: its outcome would be the same.
bool is_over(const std::string& status);
/// Whether `run` has something to do for it: what has failed is left alone unless it is to be tried again.
bool is_left(const RunState& state, bool retry_failed);

/// What the runs of a process share.
struct Workplace {
  Crew& crew;
  Observer& observer;
  double save_seconds = 10;  ///< between saves of a run
  Ranks& ranks = alone();
};

/// Trains from the last checkpoint, or from the start, evaluates, and leaves config.yaml, run.h5, checkpoint.h5 and log.txt in
/// `directory`. Metrics are written before the checkpoint, and resuming cuts them back to it, so an interrupted and an
/// undisturbed run end with the same bits. It ends as done, diverged or interrupted. What `experiment` says is kept with the run
/// and does not change it. Called on the rank that leads.
RunState execute_run(const config::RunConfig& config, const std::filesystem::path& directory, const Workplace& workplace,
                     const config::Experiment& experiment = {});

/// Writes the status `failed` and the reason to the run's files, as far as they can be written.
void record_failure(const config::RunConfig& config, const std::filesystem::path& directory, const std::string& reason,
                    const config::Experiment& experiment);

}  // namespace ropewalk
