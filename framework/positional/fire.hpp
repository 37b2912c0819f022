#pragma once

#include "framework/positional/layered.hpp"

namespace ropewalk::positional {

/// Functional interpolation (FIRE, Li et al. 2023, eq. 4 and 5): f(ψ(Δ)/ψ(max(m, threshold))), ψ(x) = ln(c x + 1), f a small MLP
/// of one hidden layer with an output a head. Where nothing is masked, Δ is |m − n| and m the larger position of the two. c and
/// the threshold are kept at 0.01 or more, in the place of the paper's absolute values and its ε.
class Fire final : public LayeredScheme<Fire> {
 public:
  void describe(Fields& fields) override;
  /// The MLP's output bias adds the same to all scores of a query.
  Traits traits() const override { return {.absolute = true, .inert_parameter = "mlp.2.bias"}; }
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override;
  Effect effect(const Places&, Type) const override;

 private:
  Index width_ = 32;
  Tensor c_, threshold_;            ///< [1]
  Tensor up_weight_, up_bias_;      ///< [width, 1], [width]
  Tensor down_weight_, down_bias_;  ///< [H, width], [H]
};

}  // namespace ropewalk::positional
