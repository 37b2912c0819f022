// Rows of tokens with what is to be predicted at each of them.
#pragma once

#include "experiments/run/corpus.hpp"
#include "framework/core/random.hpp"
#include "framework/core/tensor.hpp"

namespace ropewalk {

struct Batch {
  Tensor tokens;   ///< i32 [B, T]
  Tensor targets;  ///< i32 [B, T]: the token that follows
};

/// Windows of `length` tokens that begin at `starts`, each target the next token. Starts must leave room for the last target.
Batch windows(const Corpus& corpus, const std::vector<Index>& starts, Index length);

/// The training batch of a step: windows that begin anywhere in the training part, drawn from the stream ("data", step).
Batch training_batch(const Corpus& corpus, const Random& random, Index step, Index rows, Index length);

}  // namespace ropewalk
