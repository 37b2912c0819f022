#pragma once

#include "framework/positional/rotary.hpp"

namespace ropewalk::positional {

/// Rotary embedding (Su et al. 2021, eq. 15): pair j of a query at m turns by m·θ_j, of a key at n by n·θ_j, so that scores
/// depend on m − n alone; θ_j = base^(−2j/d) over the d elements of the head that rotate.
class Rope final : public Rotary<Rope> {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>&) const override;
  void prepare(const Context& context, const Random&, Type) override { turning_ = *turning(context); }
  std::optional<Turning> turning(const Context&) const override;
  Effect effect(const Places&, Type) const override;

 private:
  double fraction_ = 1;
};

}  // namespace ropewalk::positional
