#pragma once

#include "framework/positional/scaling/from_length.hpp"

namespace ropewalk::positional {

/// The scaling of Llama 3.1 (Dubey et al. 2024, and the code published with it): wavelengths below L/high stay, those above L/low
/// are stretched by the factor, and in between the share of the two is linear in L/λ.
class Llama3 final : public FromLength {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Turning&, bool causal) const override;
  std::vector<double> frequencies(const Turning&, Index) const override;

 private:
  double factor_ = 8;
  double low_ = 1;
  double high_ = 4;
};

}  // namespace ropewalk::positional
