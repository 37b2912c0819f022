// A text whose tokens tell where they were.
#pragma once

#include "experiments/run/corpus.hpp"

namespace ropewalk {

/// Tokens 0, 1, 2 …, so that a token tells where it was; held-out ones are those from `training` on.
inline Corpus counting(Index size, Index training) {
  Corpus corpus;
  for (Index i = 0; i < size; ++i) corpus.tokens.push_back(static_cast<std::uint8_t>(i));
  corpus.training = training;
  return corpus;
}

}  // namespace ropewalk
