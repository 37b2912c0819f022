#include "experiments/command/plan_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <vector>

#include "experiments/command/duration.hpp"
#include "experiments/report/rotary_table.hpp"
#include "experiments/run/outlook.hpp"
#include "experiments/run/rotary_facts.hpp"

namespace ropewalk {
namespace {

double mebibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

std::string settings_of(const config::RunConfig& run) {
  std::string text;
  for (const config::AxisValue& axis : run.axes) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", axis.path, axis.value);
  return text.empty() ? "-" : text;
}

/// What is known of a run beside its costs: where it stands, and what it has to do with others.
std::string remarks_of(const RunOutlook& run) {
  std::string text = run.state.status == "none" ? "" : "; " + run.state.status;
  if (!run.run->before.empty()) text += fmt::format("; stage {}, after {}", run.run->stage, run.run->before);
  if (!run.run->asked) text += "; for others to start from";
  return text;
}

std::string table(const Outlook& outlook) {
  std::size_t id_width = 2;
  for (const RunOutlook& run : outlook.runs) id_width = std::max(id_width, run.run->id.size());
  std::string text =
      fmt::format("{:{}}  {:>10}  {:>10}  {:>8}  {:>8}  settings\n", "id", id_width, "parameters", "TFLOP", "seconds", "MiB");
  for (const RunOutlook& run : outlook.runs) {
    const Estimate& whole = run.whole;
    text += fmt::format("{:{}}  {:>10}  {:>10.3f}  {:>8.1f}  {:>8.1f}  {}{}\n", run.run->id, id_width, whole.parameters,
                        whole.flops / 1e12, whole.seconds, mebibytes(whole.bytes), settings_of(*run.run), remarks_of(run));
  }
  return text;
}

/// ", 3 done, 1 interrupted"
std::string states_in(const Outlook& outlook) {
  std::map<std::string, int> counts;
  for (const RunOutlook& run : outlook.runs) ++counts[run.state.status];
  counts.erase("none");
  std::string text;
  for (const auto& [status, count] : counts) text += fmt::format(", {} {}", count, status);
  return text;
}

std::string totals(const Outlook& outlook) {
  double whole = 0, rest = 0;
  std::ptrdiff_t left = 0;
  for (const RunOutlook& run : outlook.runs) {
    whole += run.whole.flops;
    rest += run.rest.flops;
    left += run.left ? 1 : 0;
  }
  const auto [threads, jobs] = outlook.places;
  return fmt::format(
      "total: {:.3f} TFLOP\nleft: {} of {} runs, {:.3f} TFLOP, about {} ({:.1f} s) here with --jobs {} --threads {}, {:.1f} MiB "
      "at once\n",
      whole / 1e12, left, outlook.runs.size(), rest / 1e12, duration(outlook.seconds), outlook.seconds, jobs, threads,
      mebibytes(outlook.bytes));
}

/// A row for the runs of which the same is known.
std::vector<RotaryRow> rotary_rows(const Outlook& outlook) {
  std::vector<RotaryRow> rows;
  std::map<RotaryFacts, int> runs;
  for (const RunOutlook& run : outlook.runs) {
    const config::Settings& settings = run.run->settings;
    const auto facts = rotary_facts(settings.model, settings.train.length, std::ranges::max(settings.evaluate.lengths));
    if (facts && ++runs[*facts] == 1) rows.push_back({run.run->id, *facts});
  }
  for (RotaryRow& row : rows) {
    if (const int others = runs[row.facts] - 1; others > 0) row.label += fmt::format(" and {} more", others);
  }
  return rows;
}

}  // namespace

std::string plan_table(const config::Plan& plan, const SweepOptions& options) {
  const std::vector<config::Plan> plans{plan};
  const Outlook outlook = outlook_of(plans, options);
  std::string text =
      fmt::format("{}: {} {}{}\n", plan.name, outlook.runs.size(), outlook.runs.size() == 1 ? "run" : "runs", states_in(outlook));
  text += table(outlook) + totals(outlook);
  const std::string rotary = format_rotary_table(rotary_rows(outlook));
  return rotary.empty() ? text : text + "\n" + rotary;
}

}  // namespace ropewalk
