#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// The inner product of two sinusoids as a bias (Sandwich, Chi et al. 2023, eq. 2 and §5): with
/// σ(Δ) = Σ_{i < D̄/2} cos(Δ base^(−2i/D̄)), head h = 1 … H adds (σ(Δ) − D̄/2) H/(8h). Nothing is learned.
class Sandwich final : public CloneableScheme<Sandwich> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  void prepare(const Context& context, const Random&, Type) override { heads_ = context.heads; }
  Effect effect(const Places&, Type) const override;

 private:
  Index width_ = 128;
  double base_ = 10000;
  Index heads_ = 1;
};

}  // namespace ropewalk::positional
