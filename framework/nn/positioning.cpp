#include "framework/nn/positioning.hpp"

#include <algorithm>

namespace ropewalk::nn {

Positioning::Positioning(const positional::Scheme& scheme, const positional::Context& context, Index layers, const Random& random,
                         Type type)
    : causal_(context.causal), type_(type) {
  for (const std::unique_ptr<positional::Scheme>& part : scheme.parts()) {
    const Random own = parts_.empty() ? random : random.fork("part", parts_.size());
    Part& added = parts_.emplace_back();
    for (Index copy = 0; copy < (part->per_layer() ? layers : 1); ++copy) {
      added.copies.push_back(part->clone());
      added.copies.back()->prepare(context, own.fork("position", static_cast<std::uint64_t>(copy)), type);
    }
  }
}

Tensor Positioning::embed(Tensor x, const positional::Sequences& sequences) const {
  for (const Part& part : parts_) x = part.first().embed(x, sequences);
  return x;
}

Positioning::Pass Positioning::pass(const positional::Places& places) const {
  Pass pass;
  pass.causal_ = causal_;
  for (const Part& part : parts_) {
    std::vector<positional::Effect>& effects = pass.effects_.emplace_back();
    for (const auto& copy : part.copies) effects.push_back(copy->effect(places, type_));
  }
  return pass;
}

AttentionTerms Positioning::Pass::terms(Index layer, const Tensor& x) const {
  AttentionTerms terms;
  terms.causal = causal_;
  for (const std::vector<positional::Effect>& effects : effects_) {
    const positional::Effect& effect = effects[effects.size() > 1 ? static_cast<std::size_t>(layer) : 0];
    if (effect) effect(terms, x);
  }
  return terms;
}

std::vector<double> Positioning::frequencies(Index length) const {
  std::vector<double> found;
  for (const Part& part : parts_) {
    if (found.empty()) found = part.first().frequencies(length);
  }
  return found;
}

RotationTables Positioning::rotation(const positional::Positions& positions) const {
  RotationTables found;
  for (const Part& part : parts_) {
    if (!found.defined()) found = part.first().rotation(positions, type_);
  }
  return found;
}

Tensor Positioning::slopes() const {
  Tensor found;
  for (const Part& part : parts_) {
    if (!found.defined()) found = part.first().slopes();
  }
  return found;
}

positional::Traits Positioning::traits() const {
  positional::Traits traits;
  for (const Part& part : parts_) traits |= part.first().traits();
  return traits;
}

bool Positioning::reaches(Index length) const {
  return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) { return part.first().reaches(length); });
}

Parameters Positioning::parameters() {
  Parameters parameters;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::string part = parts_.size() > 1 ? fmt::format("position.parts.{}.", i) : "position.";
    for (std::size_t copy = 0; copy < parts_[i].copies.size(); ++copy) {
      const std::string layer = parts_[i].first().per_layer() ? fmt::format("blocks.{}.", copy) : "";
      for (const Parameter& own : parts_[i].copies[copy]->parameters()) {
        parameters.push_back({layer + part + own.name, own.tensor, own.decays});
      }
    }
  }
  return parameters;
}

}  // namespace ropewalk::nn
