#pragma once

#include "framework/positional/scaling/from_length.hpp"

namespace ropewalk::positional {

/// YaRN (Peng et al. 2023, §3.2–3.4): pairs that turn less than α times within the trained length are interpolated, those that
/// turn more than β times are left alone, with a ramp in between that is linear in the turns (in the authors' code, in the number
/// of the pair); cosines and sines are multiplied by 0.1 ln s + 1, so that logits carry its square.
class Yarn final : public FromLength {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Turning&, bool causal) const override;
  std::vector<double> frequencies(const Turning&, Index) const override;
  double magnitude() const override;

 private:
  double factor_ = 4;
  double alpha_ = 1;
  double beta_ = 32;
};

}  // namespace ropewalk::positional
