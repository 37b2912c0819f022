// A trained run under other settings than those it was trained with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/run/trained_run.hpp"
#include "framework/nn/transformer.hpp"

namespace ropewalk {

/// What a trained model is used for.
enum class Use { evaluation, generation };

/// The run's config under `--set` arguments. Throws `ConfigErrors` or another `UsageError`, with every mistake there is, for a
/// setting that is none, that makes the model or its training another one, or that the use does not look at.
config::RunConfig changed_config(const TrainedRun& run, const std::vector<std::string>& sets, Use use);

/// The model with the run's parameters, under a config out of `changed_config`. The trained length stays that of the run. Throws
/// `UsageError`, naming settings and parameter, if the settings ask for other parameters than the run has, and `FileError` if
/// they are the run's own.
std::unique_ptr<nn::Transformer> restored_model(const TrainedRun& run, const config::RunConfig& changed);

}  // namespace ropewalk
