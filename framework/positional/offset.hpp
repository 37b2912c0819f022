#pragma once

#include "framework/positional/sampler.hpp"

namespace ropewalk::positional {

/// One random shift for each training sequence (SHAPE, Kiyono et al. 2021): k, k + 1, k + 2, …; evaluations start at 0.
class Offset final : public Sampler {
 public:
  void describe(Fields& fields) override;
  Positions positions(Index length, Index sequences, const Draws* draws) const override;
  Index reach(Index length) const override { return length + max_; }
  Change change() const override { return Change::shift; }

 private:
  Index max_ = 100;
};

}  // namespace ropewalk::positional
