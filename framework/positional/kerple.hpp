#pragma once

#include "framework/positional/layered.hpp"

namespace ropewalk::positional {

/// A learned kernel of the distance for each head (KERPLE, Chi et al. 2022, §4): −p ln(1 + a Δ), or −a Δ^p. Where nothing is
/// masked, Δ is |m − n|. p and a are kept at 0.01 or more where they are used, p of the power form also at 2 or less; beyond
/// these bounds a parameter has no gradient.
class Kerple final : public LayeredScheme<Kerple> {
 public:
  void describe(Fields& fields) override;
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override { return {{"p", &p_, false}, {"a", &a_, false}}; }
  Effect effect(const Places&, Type) const override;

 private:
  std::string form_ = "log";
  Tensor p_, a_;  ///< [H]
};

}  // namespace ropewalk::positional
