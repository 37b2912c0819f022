#include "experiments/command/inspect.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "experiments/command/output_file.hpp"
#include "experiments/config/plan.hpp"
#include "experiments/config/resolved.hpp"
#include "experiments/errors.hpp"
#include "experiments/report/rotary_table.hpp"
#include "experiments/run/inspection.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

std::optional<Checkpoint> checkpoint_of(const fs::path& source) {
  if (!fs::is_directory(source)) return {};
  const fs::path file = source / "checkpoint.h5";
  if (fs::exists(file)) return read_checkpoint(file);
  throw FileError(
      fmt::format("{}: expected a config, or the directory of a run with its checkpoint.h5, got a directory without "
                  "one",
                  source.string()));
}

/// What sets a run apart in its sweep, but for the seed.
std::vector<config::AxisValue> choices(const config::RunConfig& run) {
  std::vector<config::AxisValue> axes = run.axes;
  std::erase_if(axes, [](const config::AxisValue& axis) { return axis.path == "seed"; });
  return axes;
}

/// A trained run under `--set`, which is about its last stage.
config::Plan plan_of(const Checkpoint& trained, const fs::path& file, const std::vector<std::string>& sets) {
  const config::RunConfig run = config::parse_plan(trained.config, file.string()).runs.back();
  config::Plan plan = config::parse_plan(config::text_of(run.settings), file.string(), sets);
  if (sets.empty()) plan.runs.back().id = run.id;
  return plan;
}

/// Runs that are there for others to start from were not asked for.
const config::RunConfig& only_run(config::Plan& plan, const fs::path& source) {
  std::erase_if(plan.runs, [](const config::RunConfig& run) { return !run.asked; });
  const config::RunConfig& first = plan.runs.front();
  for (const config::RunConfig& run : plan.runs) {
    const std::vector<config::AxisValue> ours = choices(first), theirs = choices(run);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (ours[i].value == theirs[i].value) continue;
      throw UsageError(
          fmt::format("{}: expected one run to inspect, got a sweep of {} over {}; choose one with --set sweep={{}} "
                      "--set '{}=…', or leave its axis one value",
                      source.string(), plan.runs.size(), ours[i].path, ours[i].path));
    }
  }
  if (plan.runs.size() > 1) {
    fmt::print(stderr, "{}: {} seeds, of which the first is taken: {}\n", source.string(), plan.runs.size(), first.id);
  }
  return first;
}

}  // namespace

int inspect_scheme(const InspectArguments& arguments) {
  expect_replaceable(arguments.output, "--output", "ropewalk-inspect");
  const std::optional<Checkpoint> trained = checkpoint_of(arguments.source);
  config::Plan plan = trained ? plan_of(*trained, arguments.source / "checkpoint.h5", arguments.sets)
                              : config::load_plan(arguments.source, arguments.sets);
  const config::RunConfig& run = only_run(plan, arguments.source);
  Inspection found = inspect(run, arguments.length, trained ? &*trained : nullptr);
  std::vector<RotaryRow> rotary;
  if (found.rotation) rotary.push_back({run.id, found.rotation->facts});
  const Datasets written = write_inspection(arguments.output, std::move(found));
  fmt::print("{}: {}, {}\n", arguments.output.string(), run.id,
             trained ? fmt::format("trained for {} steps", trained->step) : "as it starts");
  for (const auto& [path, shape] : written) fmt::print("  {:<22}{}\n", path, to_string(shape));
  if (!rotary.empty()) fmt::print("\n{}", format_rotary_table(rotary));
  return 0;
}

}  // namespace ropewalk
