#include "experiments/command/launch.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <optional>

#include "experiments/config/plan.hpp"

namespace ropewalk {
namespace {

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void say(const config::Plan& plan, const std::optional<Launch>& launched) {
  if (launched) {
    fmt::print("{}: job {}, {} for {}; logs in {}\n", plan.name, launched->job, counted(launched->elements, "element"),
               counted(launched->runs, "run"), launched->directory.string());
  } else {
    fmt::print("{}: nothing to launch, {} over\n", plan.name, plan.runs.size() == 1 ? "the run is" : "all runs are");
  }
}

}  // namespace

int launch_arrays(const std::vector<std::string>& configs, const std::vector<std::string>& sets, const LaunchOptions& options) {
  std::vector<config::Plan> plans;
  for (const std::string& config : configs) {
    plans.push_back(config::load_plan(config, sets));
    for (const std::string& warning : plans.back().warnings) fmt::print(stderr, "{}: {}\n", config, warning);
  }
  for (const config::Plan& plan : plans) say(plan, launch(plan, plan.experiment.launch, options));
  return 0;
}

}  // namespace ropewalk
