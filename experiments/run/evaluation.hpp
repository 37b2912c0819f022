// One evaluation of a run: every protocol at every length, as it is recorded.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "experiments/config/settings.hpp"
#include "experiments/record/run_record.hpp"
#include "experiments/run/evaluator.hpp"
#include "experiments/run/watch.hpp"

namespace ropewalk {

/// How the settings lay windows over that many held-out tokens.
ProtocolSettings protocol_settings(const config::EvaluateSettings& settings, Index held_out);

/// A score for each protocol and length [P, E], row by row; nothing if `progress` gave it up. Called on all ranks; what comes of
/// it is the leader's.
std::optional<std::vector<Score>> evaluate_lengths(const nn::Transformer& model, const Dataset& dataset,
                                                   const config::EvaluateSettings& settings, const Random& random, Crew& crew,
                                                   const std::shared_ptr<Meter>& meter, const EvaluationProgress& progress = {},
                                                   Ranks& ranks = alone());

/// Appends what was measured at a step, in a stage counted from 1. Per-position losses are those of the non-overlapping protocol,
/// of the last evaluation;
/// attention is not measured yet.
void append_evaluation(EvaluateSeries& series, Index step, int stage, const std::vector<Score>& scores);

}  // namespace ropewalk
