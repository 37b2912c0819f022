// How the heads of a model spread their attention at each evaluated length.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "experiments/config/settings.hpp"
#include "experiments/record/run_record.hpp"
#include "experiments/run/pieces.hpp"
#include "experiments/run/watch.hpp"
#include "framework/nn/transformer.hpp"

namespace ropewalk {

/// The windows that are looked at: the first of the non-overlapping ones, as many as 8,192 tokens hold, and at least one.
std::vector<Window> attention_windows(const config::EvaluateSettings& settings, Index length, Index held_out);

/// Means over all queries of some windows, [layers, heads] row by row.
struct HeadMeans {
  std::vector<double> entropy;   ///< nats
  std::vector<double> distance;  ///< tokens
};

/// Of windows of `length` over the held-out tokens, by `through_pieces`: the same bits on any number of threads and ranks.
/// Nothing at a length that the scheme does not reach, on ranks that follow, and once `begin` has said no.
HeadMeans head_means(const nn::Transformer& model, const Dataset& dataset, const std::vector<Window>& windows, Index length,
                     const Random& random, Crew& crew, const std::shared_ptr<Meter>& meter, const BeginPiece& begin = {},
                     Ranks& ranks = alone());

/// At all lengths of `settings`, of a model that they describe; nothing if `progress` gave it up. Called on all ranks; what comes
/// of it is the leader's.
std::optional<AttentionMeans> measure_attention(const nn::Transformer& model, const Dataset& dataset,
                                                const config::Settings& settings, const Random& random, Crew& crew,
                                                const std::shared_ptr<Meter>& meter, const EvaluationProgress& progress = {},
                                                Ranks& ranks = alone());

}  // namespace ropewalk
