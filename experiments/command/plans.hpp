// The configs that a command is given, as plans.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/plan.hpp"
#include "experiments/record/run_filter.hpp"

namespace ropewalk {

struct ConfigArguments {
  std::vector<std::string> files;
  std::vector<std::string> sets;
  RunFilter filter;
};

/// The plans of all files, no run twice; what they warn of is said on the standard error. Throws `UsageError` also for a pattern
/// of the filter that matches no run.
std::vector<config::Plan> load_plans(const ConfigArguments& arguments);

}  // namespace ropewalk
