// Rows of tokens with what is to be predicted at each of them.
#pragma once

#include "experiments/run/corpus.hpp"
#include "framework/core/tensor.hpp"

namespace ropewalk {

struct Batch {
  Tensor tokens;   ///< i32 [B, T]
  Tensor targets;  ///< i32 [B, T]: the token to predict there; negative: none, the place is not scored
  Index scored;    ///< how many places are
};

/// Windows of `length` tokens that begin at `starts`, each target the next token. Starts must leave room for the last target.
Batch windows(const Corpus& corpus, const std::vector<Index>& starts, Index length);

}  // namespace ropewalk
