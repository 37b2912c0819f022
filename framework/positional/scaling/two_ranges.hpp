// Rotations of which near and far pairs of tokens get one each.
#pragma once

#include "framework/ops/attention.hpp"
#include "framework/positional/positions.hpp"

namespace ropewalk::positional {

/// How far pairs are rotated, [T, pairs] or [S, T, pairs].
struct PairRotation {
  RotationTables queries, keys;
};

/// query · key with one rotation for pairs at most `window` apart and another for those further apart.
std::shared_ptr<ScoreTerm> product_in_two_ranges(const Places& places, double window, const PairRotation& near,
                                                 const PairRotation& far);

}  // namespace ropewalk::positional
