#pragma once

#include "framework/positional/rotary.hpp"

namespace ropewalk::positional {

/// Rope whose scores decay with the distance (xPos, Sun et al. 2022, §3.1): pair j of a query at m is multiplied by ζ_j^(m/S), of
/// a key at n by ζ_j^(−n/S), ζ_j = (2j/d + γ)/(1 + γ), S the scale base. The centre is 0 whatever the length (the authors'
/// code takes its middle). In a bidirectional model scores grow towards keys on the right.
class Xpos final : public Rotary<Xpos> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  void prepare(const Context& context, const Random&, Type) override { turning_ = *turning(context); }
  std::optional<Turning> turning(const Context&) const override;
  Effect effect(const Places&, Type) const override;

 private:
  double gamma_ = 0.4;
  double scale_base_ = 512;
};

}  // namespace ropewalk::positional
