// The points of a sweep, before anything is decoded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/merge.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// A setting, or a whole section, and the values it takes.
struct Axis {
  std::string path;  ///< dotted, of the setting
  Place place;       ///< of the axis in the config
  std::vector<Tree> values;
};

/// Axes that move together: one of `sweep.grid` alone, all of `sweep.zip`, the seeds. All have equally many values.
using Strand = std::vector<Axis>;

/// The strands of a config's `sweep` section: the grid's in the order written, then zip, then seeds counted from the config's own
/// seed. Whatever makes no sense is left out and complained of.
std::vector<Strand> read_sweep(const Tree& config, Complaints& complaints);

/// One value for every axis: which point of the sweep this is.
using Point = std::vector<Assignment>;

/// Every combination of the strands, the last one varying fastest; one empty point if there are none.
std::vector<Point> points(const std::vector<Strand>& strands, Complaints& complaints);

}  // namespace ropewalk::config
