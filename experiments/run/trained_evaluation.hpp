// The evaluation of a trained run, under the settings it was trained with or others, without training.
#pragma once

#include <optional>

#include "experiments/record/run_record.hpp"
#include "experiments/run/changed_run.hpp"
#include "experiments/run/evaluation.hpp"

namespace ropewalk {

/// Evaluates the run's checkpoint under a config out of `changed_config`; the run's own config gives the bits that the run itself
/// recorded at that step, on any number of threads. Nothing if `progress` gave it up. Throws `UsageError` if the model does not
/// go with the settings, or the text is too short or was trained on; `FileError` if the text is not there or has changed.
std::optional<EvaluationRecord> evaluate_trained(const TrainedRun& run, const config::RunConfig& changed, Crew& crew,
                                                 const EvaluationProgress& progress = {});

}  // namespace ropewalk
