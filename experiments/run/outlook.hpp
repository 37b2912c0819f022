// A sweep before it runs, or goes on: what `run` would find, and what it would then take.
#pragma once

#include <vector>

#include "experiments/run/estimate.hpp"
#include "experiments/run/run.hpp"
#include "experiments/run/sweep_tasks.hpp"

namespace ropewalk {

struct RunOutlook {
  const config::RunConfig* run;
  RunState state;      ///< on disk; status "unreadable": what is there cannot be read, or is of another run
  bool left = true;    ///< whether `run` has anything to do
  Estimate whole;      ///< from its first step on, without the stages before
  Estimate rest = {};  ///< from what is saved on; nothing if nothing is left
};

struct Outlook {
  std::vector<RunOutlook> runs;  ///< as `run_sweep` takes them
  Places places;
  double seconds = 0;      ///< until all that is left is done
  std::int64_t bytes = 0;  ///< of tensor storage, most at once in all jobs together
};

/// Reads what is in `options.out` and writes nothing. Throws as `run_sweep` does for a text that is missing or too short.
Outlook outlook_of(const std::vector<config::Plan>& plans, const SweepOptions& options);

}  // namespace ropewalk
