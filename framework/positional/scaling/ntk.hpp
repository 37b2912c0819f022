#pragma once

#include "framework/positional/scaling/scaling.hpp"

namespace ropewalk::positional {

/// NTK-aware scaling (bloc97 2023; Peng et al. 2023, §3.1): base → base · s^(d/(d−2)), so that the slowest pair is stretched s
/// times and the fastest not at all.
class Ntk final : public Scaling {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Turning&, bool causal) const override;
  std::vector<double> frequencies(const Turning&, Index) const override;

 private:
  double factor_ = 4;
};

/// The base for a stretch of s, d = turning.width > 2.
double ntk_base(const Turning& turning, double s);

/// Why pairs that turn like this have no NTK-aware base; empty if they have.
std::vector<Complaint> ntk_complaints(const Turning& turning);

}  // namespace ropewalk::positional
