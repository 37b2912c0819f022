// All runs of one or more plans, side by side on this machine.
#pragma once

#include <filesystem>
#include <vector>

#include "experiments/config/plan.hpp"
#include "experiments/record/run_filter.hpp"
#include "experiments/run/observer.hpp"
#include "experiments/run/plan_share.hpp"
#include "experiments/run/ranks.hpp"

namespace ropewalk {

struct SweepOptions {
  std::filesystem::path out = "results";
  int jobs = 0;      ///< runs side by side; 0: as many as there are threads
  int threads = 0;   ///< in all; 0: one for each core
  RunFilter filter;  ///< by ids alone; the index lists the others too
  bool fail_fast = false;
  bool retry_failed = false;  ///< go on with runs that failed before, instead of skipping them
  PlanShare share;            ///< of the runs of all plans, one after the other, whatever the filter says of them
  double save_seconds = 10;
};

/// How many runs ended how.
struct SweepResult {
  int done = 0;         ///< trained and evaluated now
  int skipped = 0;      ///< done before
  int elsewhere = 0;    ///< another process is at it
  int diverged = 0;     ///< now or before
  int failed = 0;       ///< now or before, for any other reason than their files
  int waiting = 0;      ///< for a run they start from, which is not done
  int unwritten = 0;    ///< could not read or write their files
  int interrupted = 0;  ///< stopped, or kept from beginning, by a signal

  /// 0 done, as far as no other process is at it; 1 a run failed or diverged; 3 a run could not read or write its files; 130
  /// interrupted.
  int exit_code() const;

  void add(const SweepResult& more);
};

/// Skips runs that are over or have failed, resumes those that have begun, runs the rest, each in `out`/<name>/<run id>, and
/// keeps `out`/<name>/index.h5. A run that fails is recorded and the others go on. Every text is read before anything runs:
/// throws `FileError` for a missing one, `UsageError` for one that is too short. Called on the rank that leads; with others, the
/// runs go one after another, each over all ranks.
SweepResult run_sweep(const std::vector<config::Plan>& plans, const SweepOptions& options, Observer& observer,
                      Ranks& ranks = alone());

}  // namespace ropewalk
