// Biases that are a function of the distance between a query and a key.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "framework/ops/score_term.hpp"
#include "framework/positional/positions.hpp"

namespace ropewalk::positional {

/// Bias [H, n] of n distances m − n (query position less key position, any real numbers), made of differentiable operations on
/// `parameters`.
using BiasOfDistances = std::function<Tensor(const Tensors& parameters, const std::vector<double>& distances)>;

/// The term for such a bias. Where positions are evenly spaced there is one distance for each difference of indices, and where
/// they are whole numbers one table serves all pairs: both cost a vector a head. Any other positions are worked out pair by pair.
std::shared_ptr<ScoreTerm> bias_of_distance(const Places& places, const Tensors& parameters, const BiasOfDistances& bias);

/// Query position less key position for every difference of indices key − query = −(q − 1) … k − 1; places must be even.
std::vector<double> even_distances(const Places& places);

}  // namespace ropewalk::positional
