#include "experiments/report/report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "experiments/errors.hpp"
#include "experiments/record/file.hpp"
#include "experiments/report/csv.hpp"
#include "experiments/report/groups.hpp"
#include "experiments/report/join.hpp"
#include "experiments/report/metric.hpp"
#include "experiments/report/statistics.hpp"
#include "experiments/report/table.hpp"

namespace ropewalk {
namespace {

constexpr const char* kMark = "*";     // of the trained length
constexpr const char* kNothing = "-";  // a cell without a value

/// One number of one run at one length; none if it has none.
using Measure = std::function<std::optional<double>(const ReportedRun&, std::int64_t length)>;

Measure value_of(const Metric& metric, const std::string& protocol) {
  return [&metric, protocol](const ReportedRun& run, std::int64_t length) -> std::optional<double> {
    const std::vector<double>* values = metric.values(run.record.evaluate);
    const auto place = last_value(run.record.evaluate, protocol, length);
    if (values == nullptr || !place || std::isnan((*values)[*place])) return std::nullopt;
    return (*values)[*place];
  };
}

/// `measure` relative to its value at the trained length of the same run.
Measure ratio_of(const Measure& measure) {
  return [measure](const ReportedRun& run, std::int64_t length) -> std::optional<double> {
    const auto trained = run.trained_length();
    if (!trained) return std::nullopt;
    const auto here = measure(run, length), there = measure(run, *trained);
    if (!here || !there) return std::nullopt;
    return *here / *there;
  };
}

/// Fewer decimals for larger numbers, so that a model far beyond its length does not widen the table.
std::string format_number(double value, int decimals) {
  const double size = std::abs(value);
  if (size >= 1e6) return fmt::format("{:.2e}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, size >= 100 ? 1 : decimals);
}

std::string format_cell(const std::vector<double>& values, int decimals) {
  if (values.empty()) return kNothing;
  const std::string center = format_number(mean(values), decimals);
  const auto interval = bootstrap_interval(values);
  if (!interval) return center;
  return fmt::format("{} [{}, {}]", center, format_number(interval->low, decimals), format_number(interval->high, decimals));
}

std::vector<double> values_over_seeds(const Group& group, const Measure& measure, std::int64_t length) {
  std::vector<double> values;
  for (const ReportedRun* run : group.runs) {
    const auto value = run->done() ? measure(*run, length) : std::nullopt;
    if (value) values.push_back(*value);
  }
  return values;
}

std::string format_seeds(const Group& group) {
  const auto done = std::ranges::count_if(group.runs, &ReportedRun::done);
  const auto all = static_cast<std::ptrdiff_t>(group.runs.size());
  return done == all ? fmt::format("{}", all) : fmt::format("{} of {}", done, all);
}

/// The columns of both tables.
struct Columns {
  std::set<std::int64_t> lengths;                 ///< evaluated by any run
  std::set<std::optional<std::int64_t>> trained;  ///< trained lengths of all runs

  /// The mark stands in the header if all runs were trained at one length, otherwise in each row.
  bool mark_in_header() const { return trained.size() == 1; }
  std::string header_mark(std::int64_t length) const { return mark_in_header() && *trained.begin() == length ? kMark : ""; }
  std::string cell_mark(const Group& group, std::int64_t length) const {
    return !mark_in_header() && group.runs.front()->trained_length() == length ? kMark : "";
  }
};

Columns columns_of(const std::vector<ReportedRun>& runs) {
  Columns columns;
  for (const ReportedRun& run : runs) {
    columns.lengths.insert(run.record.evaluate.length.begin(), run.record.evaluate.length.end());
    columns.trained.insert(run.trained_length());
  }
  return columns;
}

std::string table(const std::vector<Group>& groups, const Columns& columns, const Measure& measure, int decimals) {
  Row header{"run", "seeds"};
  for (const std::int64_t length : columns.lengths) header.push_back(fmt::format("{}{}", length, columns.header_mark(length)));
  std::vector<Row> rows{header};
  for (const Group& group : groups) {
    Row row{group.label, format_seeds(group)};
    for (const std::int64_t length : columns.lengths) {
      row.push_back(format_cell(values_over_seeds(group, measure, length), decimals) + columns.cell_mark(group, length));
    }
    rows.push_back(row);
  }
  return format_table(rows);
}

std::string tables(const std::vector<ReportedRun>& runs, const Metric& metric, const std::string& protocol) {
  constexpr int kRatioDecimals = 2;
  const std::vector<Group> groups = group_runs(runs);
  const Columns columns = columns_of(runs);
  const Measure measure = value_of(metric, protocol);
  std::string text = fmt::format("\n{} by length, {}: mean over seeds [95 % bootstrap interval]\n\n", metric.name, protocol);
  text += table(groups, columns, measure, metric.decimals);
  text += fmt::format("\n{} relative to the trained length\n\n", metric.name);
  text += table(groups, columns, ratio_of(measure), kRatioDecimals);
  return text + fmt::format("\n{} trained length   {} no value\n", kMark, kNothing);
}

void expect_protocol(const std::vector<ReportedRun>& runs, const std::string& protocol) {
  std::set<std::string> known;
  for (const ReportedRun& run : runs) known.insert(run.record.evaluate.protocol.begin(), run.record.evaluate.protocol.end());
  if (known.empty() || known.contains(protocol)) return;
  throw UsageError(fmt::format("report: protocol: expected one of {}, which these runs have, got '{}'",
                               join({known.begin(), known.end()}, ", "), protocol));
}

std::string list(const std::string& title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string text = "\n" + title + "\n";
  for (const std::string& item : items) text += "  " + item + "\n";
  return text;
}

std::vector<std::string> not_done(const std::vector<ReportedRun>& runs) {
  std::vector<std::string> items;
  for (const ReportedRun& run : runs) {
    if (!run.done()) items.push_back(fmt::format("{}: {}, step {}", run.record.run_id, run.record.status, run.step()));
  }
  return items;
}

}  // namespace

Report report(const std::filesystem::path& directory, const ReportOptions& options, const SettingsOf& settings_of) {
  const Metric& metric = find_metric(options.metric);
  const Collection collection = collect_runs(directory, settings_of);
  const std::vector<ReportedRun>& runs = collection.runs;
  expect_protocol(runs, options.protocol);
  const std::vector<std::string> unfinished = not_done(runs);

  std::string text = fmt::format("{} of {} runs done\n", runs.size() - unfinished.size(), runs.size());
  if (!runs.empty()) text += tables(runs, metric, options.protocol);
  text += list("Not done, not in the tables:", unfinished);
  text += list("Copies, left out:", collection.copies);
  text += list("Damaged, left out:", collection.damaged);
  if (!options.csv.empty()) replace_file(options.csv, format_csv(runs));
  return {text, collection.damaged};
}

}  // namespace ropewalk
