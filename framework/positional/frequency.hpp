// The geometric series of frequencies that sinusoids and rotations share.
#pragma once

#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk::positional {

/// θ_j = base^(−2j/width) for j = 0 … width/2 − 1, radians per token; the wavelength of pair j is 2π/θ_j tokens.
std::vector<double> frequencies(double base, Index width);

}  // namespace ropewalk::positional
