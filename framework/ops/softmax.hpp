// Softmax over the last axis, and the loss built on it.
#pragma once

#include "framework/core/autograd.hpp"

namespace ropewalk {

/// Over the last axis. A row that is -infinity throughout gives zeros, and zero gradients.
Tensor softmax(const Tensor& x);
Tensor log_softmax(const Tensor& x);

/// Cross-entropy of each row in nats: logits [.., V], targets i32 [..] -> [..]. A negative target is not scored: its loss and its
/// gradient are 0. Throws if a target is V or more. If nobody else holds the logits, the way back writes their gradient over
/// them.
Tensor cross_entropy(const Tensor& logits, const Tensor& targets);

}  // namespace ropewalk
