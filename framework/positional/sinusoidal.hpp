#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// PE(m, 2i) = sin(m base^(−2i/D)), PE(m, 2i+1) = cos(same), added to the token embedding (Vaswani et al. 2017, §3.5).
class Sinusoidal final : public CloneableScheme<Sinusoidal> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  bool absolute() const override { return true; }
  Tensor embed(const Tensor& x, const Positions&) const override;

 private:
  double base_ = 10000;
  double scale_ = 1;
};

/// The encoding itself, [T, width] in f64; width even.
Tensor sinusoid(const Positions& positions, Index width, double base);

}  // namespace ropewalk::positional
