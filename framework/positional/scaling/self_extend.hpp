#pragma once

#include "framework/positional/scaling/scaling.hpp"

namespace ropewalk::positional {

/// Self-Extend (Jin et al. 2024, §3): within a window distances are ordinary; beyond it positions are floor-divided by the group,
/// and the queries' shifted by window − ⌊window/group⌋, so that the two ranges meet. The window
/// includes distance `window`, which the authors' code takes for far. Decoder only.
class SelfExtend final : public Scaling {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Turning&, bool causal) const override;
  bool rotates_by_distance() const override { return true; }
  void apply(AttentionTerms&, const Places&, const Turning&, bool interleaved, Type) const override;
  bool absolute() const override { return true; }

 private:
  Index window_ = 32;
  Index group_ = 4;
};

}  // namespace ropewalk::positional
