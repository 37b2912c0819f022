// Points of a sweep that are left out.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
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

/// The conditions of a sweep, and how many points each leaves out.
class Exclusions {
 public:
  explicit Exclusions(std::vector<Condition> conditions) : conditions_(std::move(conditions)), points_(conditions_.size()) {}

  /// Whether one of these conditions holds for a point with these resolved settings. Numbers are compared by value; of a section
  /// only what is named counts; a setting that is a list is compared whole. `found` was complained of when the settings were
  /// read: what it makes doubtful does not hold.
  bool leave_out(const std::vector<std::size_t>& conditions, const Tree& resolved, const Complaints& found);
  /// A line for each condition that left out no point.
  std::vector<std::string> idle() const;

 private:
  std::vector<Condition> conditions_;
  std::vector<std::size_t> points_;
};

}  // namespace ropewalk::config
