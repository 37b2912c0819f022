// The whole model once more, from the papers, in plain loops over one sequence in double precision.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "framework/nn/settings.hpp"

namespace ropewalk::naive {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

/// Parameters by name, each flat and row-major.
using Weights = std::map<std::string, Vector>;

/// What the naive model knows of positional schemes.
struct Scheme {
  std::string kind = "none";  ///< none, sinusoidal, learned, rope, alibi, t5
  bool half = false;          ///< rope: pairs (j, j + d/2) instead of (2j, 2j + 1)
};

/// Logits [T, V].
Rows logits(const nn::TransformerSettings& settings, const Scheme& scheme, const Weights& weights,
            const std::vector<int>& tokens);

}  // namespace ropewalk::naive
