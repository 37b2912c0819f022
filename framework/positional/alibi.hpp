#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// A linear penalty on distance: −slope_h·|m − n| is added to the scores of head h (Press, Smith, Lewis 2021, §3).
class Alibi final : public CloneableScheme<Alibi> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  void resolve(const Context&) override;
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override;
  std::shared_ptr<BlockBias> bias(const Positions&) const override;

 private:
  std::string kind_ = "fixed";
  Index heads_ = 0;
  Tensor slopes_;   ///< [H]
  Tensor carries_;  ///< [H], 1 for a head that carries a bias, else 0
};

/// Slopes of H heads: 2^(−8h/H) for h = 1..H if H is a power of two; else those of the largest power of two p below H, then every
/// second slope of 2p, starting with its first, until there are H.
std::vector<double> alibi_slopes(Index heads);

}  // namespace ropewalk::positional
