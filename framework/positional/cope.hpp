#pragma once

#include "framework/positional/layered.hpp"

namespace ropewalk::positional {

/// Contextual positions (CoPE, Golovneva et al. 2024, eq. 3–6): gates σ(q_m·k_l) summed over l = n … m are the position of key n,
/// a real number; its embedding, between those of the two nearest whole ones, is dotted with q_m and added to the score, not
/// divided by √d. Gates see q·k as it is, or divided by √d (`gates: scaled`, as in the authors' code).
class Cope final : public LayeredScheme<Cope> {
 public:
  void describe(Fields& fields) override;
  Traits traits() const override { return {.ignores_positions = true, .causal_only = true}; }
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override { return {{"table", &table_, false}}; }
  Effect effect(const Places&, Type) const override;

 private:
  Index max_position_ = 64;
  std::string gates_ = "dot";
  Tensor table_;  ///< [max_position, d], shared by the heads; larger positions share the last row
};

}  // namespace ropewalk::positional
