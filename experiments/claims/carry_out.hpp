// Runs and evaluates what claims look at and is not there yet.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/claims/claim.hpp"
#include "experiments/claims/study.hpp"
#include "experiments/run/sweep.hpp"

namespace ropewalk {

struct ClaimOfStudy {
  const Claim* claim;
  const Study* study;
};

/// What is told of evaluations; of runs it is an `Observer`.
struct EvaluationObserver {
  std::function<void(const std::string& run_id, const std::string& evaluation)> begun;
};

/// Trains, study by study, the runs that the claims look at and that are not over, with those they start from; runs of claims
/// that want to be alone go one at a time on one thread. Then evaluates anew what the claims ask for of runs that are done.
/// Returns the counts of all sweeps; interrupted ones stop it. Throws like `run_sweep` and `evaluate_trained`.
SweepResult carry_out(const std::vector<ClaimOfStudy>& claims, const SweepOptions& options,
                      const std::function<SweepResult(const config::Plan&, const SweepOptions&)>& run,
                      const EvaluationObserver& observer);

}  // namespace ropewalk
