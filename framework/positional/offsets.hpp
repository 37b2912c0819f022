// Tables of vectors for the distance between a query and a key, as attention takes them.
#pragma once

#include "framework/ops/attention.hpp"
#include "framework/positional/positions.hpp"

namespace ropewalk::positional {

/// Adds an offset term: rows [H or 1, R, d] for the distances m − n = low … low + R − 1, clipped to them. Positions are taken to
/// the nearest whole number.
void add_offset_term(AttentionTerms& terms, const Places& places, kernels::OffsetSide side, const Tensor& rows, Index low);

}  // namespace ropewalk::positional
