#pragma once

#include "framework/positional/sampler.hpp"

namespace ropewalk::positional {

/// Continuous augmented positions (CAPE, Likhomanenko et al. 2021, §4): λ (n + Δ + ε_n) with a shift Δ and a scale λ for each
/// training sequence and a jitter ε for each token, uniform (λ in its logarithm). Evaluations are contiguous. Positions are not
/// centred, unlike in the paper.
class Cape final : public Sampler {
 public:
  void describe(Fields& fields) override;
  Positions positions(Index length, Index sequences, const Draws* draws) const override;
  Index reach(Index length) const override;

 private:
  double shift_ = 5;
  double jitter_ = 0.5;
  double scale_ = 1.1;
};

}  // namespace ropewalk::positional
