#include "experiments/command/plans.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <set>
#include <utility>

#include "experiments/claims/claim_file.hpp"
#include "experiments/errors.hpp"

namespace ropewalk {

std::vector<config::Plan> load_plans(const ConfigArguments& arguments) {
  std::vector<config::Plan> plans;
  std::set<std::pair<std::string, std::string>> seen;  // directories, as experiment and run
  for (const std::string& file : arguments.files) {
    if (is_claim_file(file)) {
      throw UsageError(fmt::format("{}: expected a config, got a claim; `ropewalk verify {}` runs what it looks at", file, file));
    }
    config::Plan plan = config::load_plan(file, arguments.sets);
    const auto repeated = [&](const config::RunConfig& run) { return !seen.emplace(plan.name, run.id).second; };
    if (const auto count = std::erase_if(plan.runs, repeated)) {
      plan.warnings.push_back(fmt::format("{} of its runs are asked for by a config before it; they are done once", count));
    }
    for (const std::string& warning : plan.warnings) fmt::print(stderr, "{}: {}\n", file, warning);
    plans.push_back(std::move(plan));
  }
  std::vector<std::string> ids;
  for (const config::Plan& plan : plans) {
    for (const config::RunConfig& run : plan.runs) ids.push_back(run.id);
  }
  expect_matches(arguments.filter, ids);
  return plans;
}

}  // namespace ropewalk
