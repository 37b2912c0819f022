// A bias of attention scores that depends on the difference of indices alone.
#pragma once

#include "framework/ops/score_term.hpp"

namespace ropewalk {

/// values [H, q + k − 1], entry key − query + q − 1 of the indices. Memory linear in the length.
std::shared_ptr<ScoreTerm> distance_bias(const Tensor& values);

}  // namespace ropewalk
