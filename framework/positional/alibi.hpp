#pragma once

#include "framework/positional/layered.hpp"

namespace ropewalk::positional {

/// A linear penalty on distance: −slope_h·|m − n| is added to the scores of head h (Press, Smith, Lewis 2021, §3). Where nothing
/// is masked, keys to the right may have a slope of their own, so that a head can tell left from right.
class Alibi final : public LayeredScheme<Alibi> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  void resolve(const Context&) override;
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override;
  Effect effect(const Places&, Type) const override;
  /// For keys to the left of the query; 0 for a head without a bias.
  Tensor slopes() const override;

 private:
  std::string kind_ = "fixed";
  Index heads_ = 0;
  double right_ = 1;
  Tensor slopes_;        ///< [H]
  Tensor slopes_right_;  ///< [H], for keys to the right of the query
  Tensor carries_;       ///< [H, 1], 1 for a head that carries a bias, else 0
};

/// Slopes of H heads: 2^(−8h/H) for h = 1..H if H is a power of two; else those of the largest power of two p below H, then every
/// second slope of 2p, starting with its first, until there are H.
std::vector<double> alibi_slopes(Index heads);

}  // namespace ropewalk::positional
