#pragma once

#include "framework/positional/scaling/from_length.hpp"

namespace ropewalk::positional {

/// Scores times max(1, ln m / ln L) for a query at m (Su 2021; Chiang and Cholak 2022, §5), so that attention over more keys
/// stays as sharp. Positions count from 0. What is multiplied is q·k, before any bias.
class LogScale final : public FromLength {
 public:
  void describe(Fields& fields) override { describe_original(fields); }
  void resolve(Index, Index tokens) override { FromLength::resolve(tokens); }
  std::vector<Complaint> complaints(const Turning&, bool causal) const override;
  Tensor query_factor(const Positions&, const Turning&, Type) const override;
  bool absolute() const override { return true; }
};

}  // namespace ropewalk::positional
