// Points of a sweep that are left out.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/merge.hpp"
#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

/// One setting of a condition and the value, or the values of which one, it has to have.
struct Requirement {
  std::string path;
  std::vector<Step> steps;
  Tree value;
};

/// A point for which every requirement is met is left out.
struct Condition {
  std::string where;  ///< in the config, `sweep.exclude[0]`
  Place place;
  std::vector<Requirement> requirements;
};

/// The conditions in a sweep's `exclude`. Whatever makes no sense is left out and complained of: no list, an empty condition, an
/// unknown setting, a value that the setting cannot have.
std::vector<Condition> read_exclude(const Tree& exclude, const std::string& where, Fields& schema, Complaints& complaints);

/// Whether a condition holds for resolved settings. Numbers are compared by value; of a section only what is named counts; a
/// setting that is a list is compared whole. `found` was complained of when the settings were read: what it makes doubtful does
/// not hold.
bool holds(const Condition& condition, const Tree& resolved, const Complaints& found);

}  // namespace ropewalk::config
