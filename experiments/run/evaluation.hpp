// One evaluation of a run: every protocol at every length, as it is recorded.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "experiments/config/settings.hpp"
#include "experiments/record/run_record.hpp"
#include "experiments/run/evaluator.hpp"

namespace ropewalk {

/// How the settings lay windows over that many held-out tokens.
ProtocolSettings protocol_settings(const config::EvaluateSettings& settings, Index held_out);

/// Told the share of an evaluation that is done, by any thread, one at a time; returns false to give the evaluation up.
using EvaluationProgress = std::function<bool(double share)>;

/// A score for each protocol and length [P, E], row by row; nothing if `progress` gave it up. Called on all ranks; what comes of
/// it is the leader's.
std::optional<std::vector<Score>> evaluate_lengths(const nn::Transformer& model, const Corpus& corpus,
                                                   const config::EvaluateSettings& settings, const Random& random, Crew& crew,
                                                   const std::shared_ptr<Meter>& meter, const EvaluationProgress& progress = {},
                                                   Ranks& ranks = alone());

/// Appends what was measured at a step, in a stage counted from 1. Per-position losses are those of the non-overlapping protocol, of the last evaluation.
void append_evaluation(EvaluateSeries& series, Index step, int stage, const std::vector<Score>& scores);

}  // namespace ropewalk
