// `sweep.random`: points drawn at random, the same whenever they are drawn.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"
#include "framework/core/random.hpp"

namespace ropewalk::config {

/// A setting and how its values are drawn.
struct RandomAxis {
  std::string path;
  std::string where;  ///< in the config, `sweep.random.axes.train.steps`
  Place place;
  std::function<Tree(Stream)> draw;
};

struct RandomAxes {
  std::int64_t count = 0;  ///< points
  std::int64_t seed = 0;
  std::vector<RandomAxis> axes;

  /// The value of an axis at a point. It depends on nothing but the seed, the setting's path and the point's index, so another
  /// axis or a larger count changes no value that was there.
  Tree value(const RandomAxis& axis, std::int64_t point) const;
};

/// Reads `{count: 20, seed: 0, axes: {train.steps: {range: [100, 1000]}}}`. An axis is one of
/// `range: [low, high]`, uniform; `log: [low, high]`, uniform in the logarithm; `choice: [values]`. Where the setting is an
/// integer, so are the values, and both ends are among them; other numbers are rounded to ten digits, which keeps names of runs
/// short and the same on every processor. Whatever makes no sense is left out and complained of; `count` is then 0 if nothing is
/// left.
RandomAxes read_random(const Tree& random, const std::string& where, std::int64_t most_points, Fields& schema,
                       Complaints& complaints);

}  // namespace ropewalk::config
