#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// A learned vector for the place of a digit in its number (Abacus, McLeish et al. 2024, §3): a digit gets row i for the i-th of
/// its run of digits, counted from 0, plus one random offset per training sequence, so that rows of long numbers are trained too.
/// Other tokens get nothing (the authors count from 1, and give them row 0).
class Abacus final : public CloneableScheme<Abacus> {
 public:
  void describe(Fields& fields) override;
  Traits traits() const override { return {.ignores_positions = true, .needs_digits = true}; }
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override { return {{"table", &table_, false}}; }
  Tensor embed(const Tensor& x, const Sequences&) const override;

 private:
  Index max_offset_ = 100;
  std::vector<std::int32_t> digits_;
  Tensor table_;  ///< [max_offset + trained length, D]; places beyond it share the last row
};

/// Place of each token in its run of digits, from 0; −1 for a token that is no digit. tokens and result: i32 [B, T].
Tensor digit_places(const Tensor& tokens, const std::vector<std::int32_t>& digits);

}  // namespace ropewalk::positional
