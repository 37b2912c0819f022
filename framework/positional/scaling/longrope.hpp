#pragma once

#include "framework/positional/scaling/scaling.hpp"

namespace ropewalk::positional {

/// LongRoPE (Ding et al. 2024, eq. 3): each pair is stretched by a factor of its own, θ_j/λ̂_j, except at the first positions. The
/// factors are given; the paper searches for them. One for each pair that turns, from the fastest to the slowest.
class LongRope final : public Scaling {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Turning&, bool causal) const override;
  std::vector<double> frequencies(const Turning&, Index) const override;
  double kept() const override { return keep_ > 0 ? static_cast<double>(keep_) : Scaling::kept(); }
  bool absolute() const override { return keep_ > 0; }

 private:
  std::vector<double> factors_;
  Index keep_ = 0;
};

}  // namespace ropewalk::positional
