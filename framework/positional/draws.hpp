// Where the random choices of one pass through a model come from.
#pragma once

#include "framework/core/random.hpp"

namespace ropewalk::positional {

/// A sequence draws from a stream of its own, so what it draws does not depend on the pass or the thread it is in.
struct Draws {
  Random random;
  std::uint64_t step = 0;
  Index first = 0;        ///< number of the first sequence of the pass among those of the step
  bool training = false;  ///< false: an evaluation, in which most choices are fixed

  Stream stream(std::string_view purpose, Index sequence) const {
    return random.stream(purpose, step, static_cast<std::uint32_t>(first + sequence));
  }
};

}  // namespace ropewalk::positional
