// What a setting has to be for a run to be looked at: `--where 'model.position.base>1000'`.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/collection.hpp"

namespace ropewalk {

struct Condition {
  std::string text;     ///< as it was given
  std::string path;     ///< of the setting, dotted
  std::string compare;  ///< =, ==, !=, <, <=, > or >=
  std::string value;

  /// Numbers by size, anything else by = and != alone. A run without the setting fulfils nothing.
  bool holds(const Settings& settings) const;
};

/// Throws `UsageError` for what is no `path comparison value`.
Condition parse_condition(const std::string& text);

/// Throws `UsageError`, with the nearest ones, for a condition on a setting that no run has.
void expect_known_settings(const std::vector<Condition>& conditions, const std::vector<ReportedRun>& runs);

/// The path that was probably meant: the kind of a section, the one of that last name, or the nearest; empty if none is near.
std::string nearest_setting(const std::string& path, const std::vector<std::string>& known);

/// The same for names of settings given to an option.
void expect_known_settings(const std::string& option, const std::vector<std::string>& paths,
                           const std::vector<ReportedRun>& runs);

}  // namespace ropewalk
