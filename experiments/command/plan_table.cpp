#include "experiments/command/plan_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <vector>

#include "experiments/report/rotary_table.hpp"
#include "experiments/run/estimate.hpp"
#include "experiments/run/rotary_facts.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {
namespace {

std::string settings_of(const config::RunConfig& run) {
  std::string text;
  for (const config::AxisValue& axis : run.axes) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", axis.path, axis.value);
  return text.empty() ? "-" : text;
}

/// A row for the runs of which the same is known.
std::vector<RotaryRow> rotary_rows(const config::Plan& plan) {
  std::vector<RotaryRow> rows;
  std::map<RotaryFacts, int> runs;
  for (const config::RunConfig& run : plan.runs) {
    const config::Settings& settings = run.settings;
    const auto facts = rotary_facts(settings.model, settings.train.length, std::ranges::max(settings.evaluate.lengths));
    if (facts && ++runs[*facts] == 1) rows.push_back({run.id, *facts});
  }
  for (RotaryRow& row : rows) {
    if (const int others = runs[row.facts] - 1; others > 0) row.label += fmt::format(" and {} more", others);
  }
  return rows;
}

}  // namespace

std::string plan_table(const config::Plan& plan) {
  Estimator estimator;
  std::string text = fmt::format("{}: {} {}\n", plan.name, plan.runs.size(), plan.runs.size() == 1 ? "run" : "runs");
  std::size_t id_width = 2;
  for (const config::RunConfig& run : plan.runs) id_width = std::max(id_width, run.id.size());
  text += fmt::format("{:{}}  {:>10}  {:>10}  {:>8}  {:>8}  settings\n", "id", id_width, "parameters", "TFLOP", "seconds", "MiB");
  double flops = 0, seconds = 0;
  for (const config::RunConfig& run : plan.runs) {
    const Estimate estimate = estimator.estimate(run.settings, corpus_of(run.settings)->held_out());
    flops += estimate.flops;
    seconds += estimate.seconds;
    text +=
        fmt::format("{:{}}  {:>10}  {:>10.3f}  {:>8.1f}  {:>8.1f}  {}\n", run.id, id_width, estimate.parameters,
                    estimate.flops / 1e12, estimate.seconds, static_cast<double>(estimate.bytes) / (1 << 20), settings_of(run));
  }
  text += fmt::format("total: {:.3f} TFLOP, about {:.1f} min on one thread, less by the number of threads\n", flops / 1e12,
                      seconds / 60);
  const std::string rotary = format_rotary_table(rotary_rows(plan));
  return rotary.empty() ? text : text + "\n" + rotary;
}

}  // namespace ropewalk
