// The points of a sweep, before anything is decoded.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/exclude.hpp"
#include "experiments/config/merge.hpp"
#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

/// One point: the values of all that varies, and what may leave it out.
struct Point {
  std::vector<Assignment> assignments;  ///< in the order of the sweep
  std::vector<std::size_t> conditions;  ///< of those of the sweep
};

/// A setting, or a whole section, that a sweep varies.
struct Varied {
  std::string path;   ///< of the setting
  std::string where;  ///< in the config: `sweep.grid.train.steps`
  Place place;
};

struct Sweep {
  std::vector<Point> points;  ///< one, without assignments, if nothing varies
  std::vector<Varied> settings;
  std::vector<Condition> conditions;
};

/// Expands a config's `sweep`. What stands side by side in it multiplies, the last varying fastest: the axes of `grid` in the
/// order written, `zip`, `list`, `random`, `seeds` counted from the config's own seed. The elements of a `list` add; each is a
/// point, its settings given by their dotted paths, or with keys of a sweep beside them every point of that sweep, which has the
/// element's settings too. `exclude` conditions hold for the points of the sweep they stand in. Whatever makes no sense is left
/// out and complained of, as are more than 100 000 points, before they are made. Writes into what `schema` points at.
Sweep expand_sweep(const Tree& config, Fields& schema, Complaints& complaints);

/// The assignments of a point in the order in which they take effect, whatever the order written: a section before what is inside
/// it, and a kind, which drops the settings of another, before the settings beside it.
std::vector<const Assignment*> outer_first(const Point& point);

/// Where a path comes in that order; paths of equal rank do not touch each other.
std::pair<std::size_t, int> outer_rank(const std::vector<Step>& steps);

}  // namespace ropewalk::config
