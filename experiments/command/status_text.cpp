#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/command/duration.hpp"
#include "experiments/command/status.hpp"
#include "experiments/report/table.hpp"
#include "experiments/text/join.hpp"
#include "experiments/text/printable.hpp"

namespace ropewalk {
namespace {

constexpr std::size_t kFewRuns = 20;

bool is_quiet(const RunStatus& run) { return run.state == "done" || run.state == "waiting"; }

std::string counts(const ExperimentStatus& experiment) {
  std::vector<std::string> parts;
  for (const char* state : kRunStates) {
    if (const std::size_t count = experiment.count(state); count > 0) parts.push_back(fmt::format("{} {}", count, state));
  }
  return fmt::format("{} run{}{}{}", experiment.runs.size(), experiment.runs.size() == 1 ? "" : "s", parts.empty() ? "" : ": ",
                     join(parts, ", "));
}

/// What a line has no room for is said once for all runs.
std::string descriptions(const ExperimentStatus& experiment) {
  std::set<std::string> notes, tags;
  for (const RunStatus& run : experiment.runs) {
    if (!run.run.notes.empty()) notes.insert(run.run.notes);
    tags.insert(run.run.tags.begin(), run.run.tags.end());
  }
  std::string text;
  for (const std::string& note : notes) text += fmt::format("notes: {}\n", printable(note));
  if (!tags.empty()) text += fmt::format("tags: {}\n", join({tags.begin(), tags.end()}, ", "));
  return text;
}

std::string step_of(const RunStatus& run) {
  const RunSummary& summary = run.run;
  if (run.state == "waiting" || run.state == "damaged") return "-";
  return summary.steps ? fmt::format("{}/{}", summary.step, *summary.steps) : fmt::format("{}", summary.step);
}

std::string percent_of(const RunStatus& run) {
  const RunSummary& summary = run.run;
  if (run.state == "waiting" || !summary.steps || *summary.steps == 0) return "-";
  return fmt::format("{} %", 100 * summary.step / *summary.steps);
}

/// Where it runs, and how old what is known of it is.
std::string whereabouts(const RunStatus& run) {
  if (run.state != "running") return "-";
  if (run.run.host.empty()) return "just begun";
  return fmt::format("{}:{}, {} ago", run.run.host, run.run.process.value_or(0), duration(run.saved_ago.value_or(0)));
}

Row row_of(const RunStatus& run) {
  const std::optional<double> speed = run.run.tokens_per_second, left = run.seconds_left();
  return {run.state,
          step_of(run),
          percent_of(run),
          run.run.loss ? fmt::format("{:.4f}", std::isnan(*run.run.loss) ? std::abs(*run.run.loss) : *run.run.loss) : "-",
          speed ? fmt::format("{:.0f}", *speed) : "-",
          left ? duration(*left) : "-",
          whereabouts(run),
          run.run.run_id};
}

/// In the order of their states, then of their ids.
std::vector<const RunStatus*> listed(const ExperimentStatus& experiment, bool all) {
  std::vector<const RunStatus*> runs;
  for (const char* state : kRunStates) {
    for (const RunStatus& run : experiment.runs) {
      if (run.state == state && (all || !is_quiet(run))) runs.push_back(&run);
    }
  }
  return runs;
}

std::string table(const std::vector<const RunStatus*>& runs) {
  if (runs.empty()) return "";
  std::vector<Row> rows{{"state", "step", "", "loss", "tokens/s", "left", "where", "id"}};
  for (const RunStatus* run : runs) rows.push_back(row_of(*run));
  return "\n" + format_table(rows);
}

std::string reasons(const std::vector<const RunStatus*>& runs) {
  std::string text;
  for (const RunStatus* run : runs) {
    if (!run->run.message.empty()) text += fmt::format("  {}: {}\n", run->run.run_id, printable(run->run.message));
  }
  return text.empty() ? "" : "\nwhy:\n" + text;
}

std::string section(const ExperimentStatus& experiment, bool all) {
  const std::vector<const RunStatus*> runs = listed(experiment, all || experiment.runs.size() <= kFewRuns);
  std::string text =
      fmt::format("{}: {}\n{}", experiment.directory.filename().string(), counts(experiment), descriptions(experiment));
  text += table(runs) + reasons(runs);
  if (const std::size_t left_out = experiment.runs.size() - runs.size(); left_out > 0) {
    text += fmt::format("\n{} done or waiting, not listed: --all\n", left_out);
  }
  if (experiment.index_error) text += fmt::format("\ndamaged: {}\n", *experiment.index_error);
  return text;
}

}  // namespace

std::string status_text(const std::vector<ExperimentStatus>& experiments, bool all) {
  if (experiments.empty()) return "no such runs\n";
  std::vector<std::string> sections;
  for (const ExperimentStatus& experiment : experiments) sections.push_back(section(experiment, all));
  return join(sections, "\n\n");
}

}  // namespace ropewalk
