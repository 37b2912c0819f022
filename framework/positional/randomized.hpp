#pragma once

#include "framework/positional/sampler.hpp"

namespace ropewalk::positional {

/// Randomized positions (Ruoss et al. 2023, §3): for each training sequence a sorted draw without replacement out of 0 … range −
/// 1, so that large positions are trained on short sequences. In an evaluation they are drawn as well, or contiguous.
class Randomized final : public Sampler {
 public:
  void describe(Fields& fields) override;
  std::vector<Complaint> complaints(Index trained, const std::vector<Index>& lengths) const override;
  Positions positions(Index length, Index sequences, const Draws* draws) const override;
  Index reach(Index) const override { return range_; }
  std::string in_evaluation() const override { return evaluation_; }

 private:
  Index range_ = 2048;
  std::string evaluation_ = "contiguous";
};

/// `count` different numbers out of 0 … range − 1 in ascending order, every set as likely as any other.
std::vector<Index> sorted_draw(Index count, Index range, Stream stream);

}  // namespace ropewalk::positional
