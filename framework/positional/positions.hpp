// Positions of the tokens of a sequence. They are real numbers in double precision whatever the model's type is.
#pragma once

#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk::positional {

/// Position of each index of a sequence, shared by the rows of a batch.
using Positions = std::vector<double>;

/// first, first + 1, …
Positions contiguous(Index length, double first = 0);

/// Key position less query position for every index difference key − query = −(T−1) … T−1, as a vector of 2T − 1. Throws unless
/// positions are evenly spaced, since only then is there one distance for each index difference.
std::vector<double> distances(const Positions& positions);

}  // namespace ropewalk::positional
