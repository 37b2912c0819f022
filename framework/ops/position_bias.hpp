// A bias of attention scores that depends on the difference of positions, which are whole numbers with gaps.
#pragma once

#include "framework/ops/score_term.hpp"

namespace ropewalk {

/// values [H, N]: entry query position − key position − nearest. Positions are i32 [S, q] and [S, k], of one row for all
/// sequences or a row for each. Memory linear in the length and in the span of the positions.
std::shared_ptr<ScoreTerm> position_bias(const Tensor& values, Index nearest, const Tensor& query_positions,
                                         const Tensor& key_positions);

}  // namespace ropewalk
