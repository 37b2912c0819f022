// How much there is to compute in a run, counted from its settings.
#pragma once

#include <map>

#include "experiments/config/plan.hpp"
#include "framework/core/shape.hpp"

namespace ropewalk {

/// FLOPs of a forward pass for one sequence: 2 for each weight and token, and those of attention, 4·D for each pair of tokens
/// that see each other, in each layer.
double forward_flops(const nn::TransformerSettings& model, Index vocabulary, Index length);

/// How many windows of each length one evaluation shows the model, under all protocols, out of that many held-out tokens.
std::map<Index, Index> windows_by_length(const config::EvaluateSettings& settings, Index held_out);

/// How many it is shown after the last step for its attention to be looked at; none if that is not asked for.
std::map<Index, Index> attention_windows_by_length(const config::Settings& settings, Index held_out);

struct Workload {
  Index steps = 0, evaluations = 0;
};

/// What is left of a run, or of the last stage of one, after `done` steps, those of earlier stages included.
Workload workload_after(const config::RunConfig& run, Index done);

/// Training (three times the forward pass: Kaplan et al. 2020, §2.1) and evaluations of a run whose text has that many tokens
/// held out, and the look at its attention.
double flops_of(const Workload& work, const config::Settings& settings, Index held_out);

}  // namespace ropewalk
