#include "experiments/report/csv.hpp"

#include <fmt/core.h>

#include "experiments/report/groups.hpp"
#include "experiments/report/join.hpp"
#include "experiments/report/metric.hpp"

namespace ropewalk {
namespace {

using Cells = std::vector<std::string>;

std::string quote(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text;
  for (const char letter : cell) text.append(letter == '"' ? 2 : 1, letter);
  return fmt::format("\"{}\"", text);
}

std::string line(Cells cells) {
  for (std::string& cell : cells) cell = quote(cell);
  return join(cells, ",") + "\n";
}

std::string setting(const ReportedRun& run, const std::string& path) {
  const auto found = run.settings.find(path);
  return found == run.settings.end() ? "" : found->second;
}

std::vector<std::string> differing(const std::vector<ReportedRun>& runs) {
  std::vector<const Settings*> settings;
  for (const ReportedRun& run : runs) settings.push_back(&run.settings);
  return differing_settings(settings);
}

Cells header(const std::vector<std::string>& settings) {
  Cells cells{"run", "status", "seed"};
  cells.insert(cells.end(), settings.begin(), settings.end());
  cells.insert(cells.end(), {"step", "protocol", "length", "trained_length"});
  for (const Metric& metric : metrics()) cells.push_back(metric.name);
  cells.push_back("scored");
  return cells;
}

/// The cells that are the same for all rows of a run.
Cells run_cells(const ReportedRun& run, const std::vector<std::string>& settings) {
  Cells cells{run.record.run_id, run.record.status, setting(run, "seed")};
  for (const std::string& path : settings) cells.push_back(setting(run, path));
  cells.push_back(fmt::format("{}", run.record.evaluate.step.back()));
  return cells;
}

void append_numbers(Cells& cells, const ReportedRun& run, std::size_t place) {
  const std::optional<std::int64_t> trained = run.trained_length();
  cells.push_back(trained ? fmt::format("{}", *trained) : "");
  for (const Metric& metric : metrics()) {
    const std::vector<double>* values = metric.values(run.record.evaluate);
    cells.push_back(values == nullptr ? "" : fmt::format("{}", (*values)[place]));
  }
  cells.push_back(fmt::format("{}", run.record.evaluate.scored[place]));
}

std::string run_lines(const ReportedRun& run, const std::vector<std::string>& settings) {
  const EvaluateSeries& evaluate = run.record.evaluate;
  std::string text;
  for (const std::string& protocol : evaluate.protocol) {
    for (const std::int64_t length : evaluate.length) {
      const auto place = last_value(evaluate, protocol, length);
      if (!place) continue;
      Cells cells = run_cells(run, settings);
      cells.push_back(protocol);
      cells.push_back(fmt::format("{}", length));
      append_numbers(cells, run, *place);
      text += line(cells);
    }
  }
  return text;
}

}  // namespace

std::string format_csv(const std::vector<ReportedRun>& runs) {
  const std::vector<std::string> settings = differing(runs);
  std::string text = line(header(settings));
  for (const ReportedRun& run : runs) text += run_lines(run, settings);
  return text;
}

}  // namespace ropewalk
