#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// PE(m, 2i) = sin(m base^(−2i/D)), PE(m, 2i+1) = cos(same), added to the token embedding (Vaswani et al. 2017, §3.5).
class Sinusoidal final : public CloneableScheme<Sinusoidal> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  Traits traits() const override { return {.absolute = true}; }
  Tensor embed(const Tensor& x, const Sequences&) const override;

 private:
  double base_ = 10000;
  double scale_ = 1;
};

/// The encoding itself, [S, T, width] in f64, S rows of positions; width even.
Tensor sinusoid(const Positions& positions, Index width, double base);

}  // namespace ropewalk::positional
