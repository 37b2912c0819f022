// Plans of short configs, and how tests look at them.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/plan.hpp"

namespace ropewalk::config {

inline Plan plan_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return parse_plan("name: test\n" + text, "c.yaml", sets);
}

/// What is wrong with the config, one mistake a line.
inline std::string errors_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    parse_plan(text + "\nname: test", "c.yaml", sets);
  } catch (const ConfigErrors& errors) {
    return errors.what();
  }
  return "";
}

/// The runs as the values that set them apart, one a line.
inline std::string runs_of(const Plan& plan) {
  std::string lines;
  for (const RunConfig& run : plan.runs) {
    for (const AxisValue& axis : run.axes) lines += axis.path + " " + axis.value + (&axis == &run.axes.back() ? "\n" : ", ");
  }
  return lines;
}

inline std::vector<std::string> ids_of(const Plan& plan) {
  std::vector<std::string> ids;
  for (const RunConfig& run : plan.runs) ids.push_back(run.id);
  return ids;
}

}  // namespace ropewalk::config
