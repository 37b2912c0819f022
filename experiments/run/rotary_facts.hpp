// What is known of a rotary scheme before it is trained.
#pragma once

#include <optional>

#include "experiments/record/run_record.hpp"
#include "framework/nn/settings.hpp"

namespace ropewalk {

/// Of a model trained on `trained` tokens and evaluated on up to `longest`, before any scaling; empty if its scheme does not
/// turn.
std::optional<RotaryFacts> rotary_facts(const nn::TransformerSettings& model, Index trained, Index longest);

}  // namespace ropewalk
