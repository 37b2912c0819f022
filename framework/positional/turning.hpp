// How fast the pairs of a head turn: what rotary schemes have in common.
#pragma once

#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk::positional {

/// Pairs that turn by θ_j = base^(−2j/width) a token, j < width/2.
struct Turning {
  double base = 10000;
  Index width = 0;    ///< elements that turn, d in the formulas; even
  Index trained = 0;  ///< trained length L, tokens

  Index pairs() const { return width / 2; }
};

}  // namespace ropewalk::positional
