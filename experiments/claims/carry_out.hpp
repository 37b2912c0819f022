// Runs and evaluates what claims look at and is not there yet.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/claims/loaded_claims.hpp"
#include "experiments/run/sweep.hpp"

namespace ropewalk {

/// Throws if a run or an evaluation that a claim looks at cannot be, as for a text that is missing or too short: see
/// `expect_ready` and `evaluate_trained`.
void expect_possible(const ClaimOfStudy& claim);

/// Who does and hears what `carry_out` decides.
struct ClaimWork {
  std::function<SweepResult(const config::Plan&, const SweepOptions&)> run;
  std::function<void(const std::string& run_id, const std::string& evaluation)> evaluating;  ///< told before it begins
};

/// Trains, study by study, the runs that the claims look at and that are not over, with those they start from: first, one at a
/// time on one thread, those that a claim wants to be alone. Then evaluates anew what the claims ask for of runs that are done.
/// Returns the counts of all sweeps; an interrupted one ends it. Throws before it begins what `expect_possible` throws of what is
/// left to do.
SweepResult carry_out(const std::vector<ClaimOfStudy>& claims, const SweepOptions& options, const ClaimWork& work);

}  // namespace ropewalk
