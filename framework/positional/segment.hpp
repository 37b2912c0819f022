#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// A learned vector for the part of the sequence a token is in, as sentence A and B in BERT (Devlin et al. 2019, §3). A part ends
/// with a token that the task marks as a separator; after the last of the segments comes the first again.
class Segment final : public CloneableScheme<Segment> {
 public:
  void describe(Fields& fields) override;
  Traits traits() const override { return {.ignores_positions = true, .needs_separators = true}; }
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override { return {{"table", &table_, false}}; }
  Tensor embed(const Tensor& x, const Sequences&) const override;

 private:
  Index segments_ = 2;
  std::vector<std::int32_t> separators_;
  Tensor table_;  ///< [segments, D]
};

}  // namespace ropewalk::positional
