// What every form of a sweep asks of its maps and axes. Each complains, as `where`, and says whether all is well.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// The keys that make a map a sweep.
const std::vector<std::string>& sweep_keys();

bool check_map(const Tree& tree, const std::string& where, Complaints& complaints);

/// Complains of keys other than the known ones.
void check_keys(const Tree& map, const std::vector<std::string>& known, const std::string& where, Complaints& complaints);

/// That `path` is the well-formed one of a setting that can differ between the runs of a sweep: what stands for an experiment and
/// not for what it computes, or is gone before there are runs, cannot.
bool check_varies(const std::string& path, const Place& place, const std::string& where, Complaints& complaints);

/// That these are a list of values, or of `what`, and not an empty one.
bool check_values(const Tree& values, const std::string& where, Complaints& complaints, const std::string& what = "value");

}  // namespace ropewalk::config
