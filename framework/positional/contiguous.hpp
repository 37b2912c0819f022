#pragma once

#include "framework/positional/sampler.hpp"

namespace ropewalk::positional {

/// 0, 1, 2, …
class Contiguous final : public Sampler {
 public:
  Positions positions(Index length, Index, const Draws*) const override { return contiguous(length); }
  Change change() const override { return Change::nothing; }
};

}  // namespace ropewalk::positional
