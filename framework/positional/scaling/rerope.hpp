#pragma once

#include "framework/positional/scaling/scaling.hpp"

namespace ropewalk::positional {

/// ReRoPE (Su 2023): the relative position is min(Δ, window). Decoder only.
class ReRope final : public Scaling {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(const Turning&, bool causal) const override;
  bool rotates_by_distance() const override { return true; }
  void apply(AttentionTerms&, const Places&, const Turning&, bool interleaved, Type) const override;

 private:
  Index window_ = 32;
};

}  // namespace ropewalk::positional
