#pragma once

#include "framework/positional/layered.hpp"

namespace ropewalk::positional {

/// Scores of Transformer-XL (Dai et al. 2019, §3.3): (q·k + q·(W_R r_Δ) + u·k + v·(W_R r_Δ))/√d, r_Δ the sinusoid of the
/// offset m − n, u and v learned for each head. Sines and cosines lie side by side (the authors' code has all sines first), and
/// positions are taken to the nearest whole number.
class TransformerXl final : public LayeredScheme<TransformerXl> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  Traits traits() const override { return {.has_offset_vectors = true}; }
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override { return {{"W_R", &projection_, false}, {"u", &u_, false}, {"v", &v_, false}}; }
  Effect effect(const Places&, Type) const override;

 private:
  double base_ = 10000;
  Tensor projection_;  ///< [D, D]
  Tensor u_, v_;       ///< [H, d]
};

}  // namespace ropewalk::positional
