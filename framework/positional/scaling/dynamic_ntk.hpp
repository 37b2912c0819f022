#pragma once

#include "framework/positional/scaling/from_length.hpp"

namespace ropewalk::positional {

/// NTK-aware scaling with s = max(1, l/L) for a sequence of l tokens (emozilla 2023; Peng et al. 2023, App. B.1): nothing changes
/// up to the trained length. It depends on the sequence at hand alone, not on what was evaluated before. Hugging Face has a
/// factor f besides, s = f l/L − (f − 1).
class DynamicNtk final : public FromLength {
 public:
  void describe(Fields& fields) override { describe_original(fields); }
  std::vector<Complaint> complaints(const Turning&, bool causal) const override;
  std::vector<double> frequencies(const Turning&, Index length) const override;
  bool depends_on_length() const override { return true; }
};

}  // namespace ropewalk::positional
