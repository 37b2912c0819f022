#pragma once

#include "framework/positional/scaling/scaling.hpp"

namespace ropewalk::positional {

/// Position interpolation (Chen et al. 2023, eq. 4): m → m/s, which is θ → θ/s.
class Linear final : public Scaling {
 public:
  void describe(Fields& fields) override;
  std::vector<double> frequencies(const Turning&, Index) const override;

 private:
  double factor_ = 4;
};

}  // namespace ropewalk::positional
