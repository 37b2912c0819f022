// Trained runs evaluated anew for a claim, each kept in a file beside the run.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "experiments/claims/claim.hpp"
#include "experiments/config/plan.hpp"
#include "experiments/record/run_record.hpp"
#include "experiments/run/crew.hpp"
#include "experiments/run/evaluation.hpp"

namespace ropewalk {

/// One trained run under settings of its own for its evaluation.
struct AskedEvaluation {
  config::RunConfig config;         ///< under which it is evaluated
  std::filesystem::path directory;  ///< of the run
  std::int64_t step = 0;            ///< at which its training ends

  /// Where it is kept: evaluations/<id of the config>.h5 in the run's directory.
  std::filesystem::path file() const;
};

/// `out`: directory of results, `study`: name of the experiment. Throws `UsageError` for settings that make no sense, or another
/// model or training.
AskedEvaluation asked_evaluation(const config::RunConfig& run, const ClaimEvaluation& evaluation,
                                 const std::filesystem::path& out, const std::string& study);

/// What is kept of it; none if it was not made yet, or of another config or step. Throws `FileError` for a damaged file.
std::optional<EvaluationRecord> kept_evaluation(const AskedEvaluation& asked);

/// Makes and keeps it; the run has to be done. False if `progress` gave it up. Throws like `evaluate_trained`.
bool evaluate_and_keep(const AskedEvaluation& asked, Crew& crew, const EvaluationProgress& progress);

}  // namespace ropewalk
