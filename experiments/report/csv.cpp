#include "experiments/report/csv.hpp"

#include <fmt/core.h>

#include <cmath>

#include "experiments/report/csv_line.hpp"
#include "experiments/report/groups.hpp"
#include "experiments/report/measure.hpp"

namespace ropewalk {
namespace {

using Cells = std::vector<std::string>;

std::string setting(const ReportedRun& run, const std::string& path) {
  const auto found = run.settings.find(path);
  return found == run.settings.end() ? "" : found->second;
}

std::vector<std::string> differing(const std::vector<ReportedRun>& runs) {
  std::vector<const Settings*> settings;
  for (const ReportedRun& run : runs) settings.push_back(&run.settings);
  return differing_settings(settings);
}

Cells header(const std::vector<std::string>& settings, const Metric& metric) {
  Cells cells{"run", "status", "seed"};
  cells.insert(cells.end(), settings.begin(), settings.end());
  cells.insert(cells.end(), {"step", "stage", "protocol", "length", "trained_length"});
  for (const Metric& each : metrics()) cells.push_back(each.name);
  cells.insert(cells.end(), {"scored", metric.name + "_ratio", "effective_length", "effective_length_at_least", "tokens_gained",
                             "tokens_gained_at_least", metric.name + "_area"});
  return cells;
}

std::string number(const std::optional<double>& value) { return value && !std::isnan(*value) ? fmt::format("{}", *value) : ""; }

void append(Cells& cells, const Cells& more) { cells.insert(cells.end(), more.begin(), more.end()); }

/// The cells that are the same for all rows of a run.
Cells run_cells(const ReportedRun& run, const std::vector<std::string>& settings) {
  Cells cells{run.record.run_id, run.record.status, setting(run, "seed")};
  for (const std::string& path : settings) cells.push_back(setting(run, path));
  return cells;
}

/// What one evaluation says of a run as a whole.
Cells extrapolation_cells(const ReportedRun& run, const Question& question) {
  Cells cells;
  for (const Measure& measure : {effective_length_measure(question), tokens_gained_measure(question)}) {
    const auto reach = measure(run);
    append(cells, {reach ? number(reach->value) : "", reach ? (reach->at_least ? "1" : "0") : ""});
  }
  const auto mean = area_measure(question)(run);
  cells.push_back(mean ? number(mean->value) : "");
  return cells;
}

Cells metric_cells(const EvaluateSeries& evaluate, std::size_t place) {
  Cells cells;
  for (const Metric& metric : metrics()) {
    const std::vector<double>* values = metric.values(evaluate);
    cells.push_back(values == nullptr ? "" : number((*values)[place]));
  }
  cells.push_back(fmt::format("{}", evaluate.scored[place]));
  return cells;
}

/// The rows of one evaluation of a run.
std::string evaluation_lines(const ReportedRun& run, const Cells& first, std::size_t s, const Question& question) {
  const EvaluateSeries& evaluate = run.record.evaluate;
  const Cells whole = extrapolation_cells(run, question);
  const auto trained = trained_length(run, question.evaluation);
  const std::size_t place = *place_of(evaluate, s, question.evaluation.protocol);
  std::string text;
  for (std::size_t e = 0; e < evaluate.length.size(); ++e) {
    const auto ratio = ratio_measure(question, evaluate.length[e])(run);
    Cells cells = first;
    append(cells, {fmt::format("{}", evaluate.step[s]), fmt::format("{}", evaluate.stage[s]), question.evaluation.protocol,
                   fmt::format("{}", evaluate.length[e]), trained ? fmt::format("{}", *trained) : ""});
    append(cells, metric_cells(evaluate, place + e));
    cells.push_back(ratio ? number(ratio->value) : "");
    append(cells, whole);
    text += csv_line(cells);
  }
  return text;
}

std::string run_lines(const ReportedRun& run, const std::vector<std::string>& settings, const Metric& metric) {
  const EvaluateSeries& evaluate = run.record.evaluate;
  const Cells first = run_cells(run, settings);
  std::string text;
  for (std::size_t s = 0; s < evaluate.step.size(); ++s) {
    for (const std::string& protocol : evaluate.protocol) {
      text += evaluation_lines(run, first, s, {metric, {protocol, evaluate.step[s]}});
    }
  }
  return text;
}

}  // namespace

std::string format_csv(const std::vector<ReportedRun>& runs, const Metric& metric) {
  const std::vector<std::string> settings = differing(runs);
  std::string text = csv_line(header(settings, metric));
  for (const ReportedRun& run : runs) text += run_lines(run, settings, metric);
  return text;
}

}  // namespace ropewalk
