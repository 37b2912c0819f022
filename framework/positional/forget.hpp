#pragma once

#include "framework/positional/layered.hpp"

namespace ropewalk::positional {

/// Forget gates as a bias (Forgetting Transformer, Lin et al. 2025, eq. 4–7): Σ_{l = n+1 … m} log σ(w_h·x_l + b_h), x the input
/// of the layer's attention.
class Forget final : public LayeredScheme<Forget> {
 public:
  Traits traits() const override { return {.ignores_positions = true, .causal_only = true}; }
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override { return {{"w", &weight_, false}, {"b", &bias_, false}}; }
  Effect effect(const Places&, Type) const override;

 private:
  Tensor weight_, bias_;  ///< [H, D], [H]
};

}  // namespace ropewalk::positional
