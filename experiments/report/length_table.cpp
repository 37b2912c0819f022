#include "experiments/report/length_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "experiments/report/groups.hpp"
#include "experiments/report/join.hpp"
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

std::string format_cell(const std::vector<double>& values, int decimals, Bootstrap& bootstrap) {
  if (values.empty()) return kNothing;
  const std::string center = format_number(mean(values), decimals);
  const auto interval = bootstrap.interval(values);
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

std::vector<Row> rows_of(const std::vector<Group>& groups, const Columns& columns, const Measure& measure, int decimals,
                         Bootstrap& bootstrap) {
  Row header{"run", "seeds"};
  for (const std::int64_t length : columns.lengths) header.push_back(fmt::format("{}{}", length, columns.header_mark(length)));
  std::vector<Row> rows{header};
  for (const Group& group : groups) {
    Row row{group.label.empty() ? "all runs" : group.label, format_seeds(group)};
    for (const std::int64_t length : columns.lengths) {
      row.push_back(format_cell(values_over_seeds(group, measure, length), decimals, bootstrap) +
                    columns.cell_mark(group, length));
    }
    rows.push_back(row);
  }
  return rows;
}

/// What the cells of all groups are.
std::string format_meaning(const std::vector<Group>& groups) {
  std::size_t most = 0;
  for (const Group& group : groups) {
    most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(group.runs, &ReportedRun::done)));
  }
  return most < 2 ? "" : fmt::format(": mean over seeds [{}]", name_of_interval(most));
}

/// The signs that the tables use.
std::string format_legend(const std::vector<Row>& rows) {
  const auto in_a_cell = [&](auto&& test) {
    return std::ranges::any_of(rows, [&](const Row& row) { return std::any_of(row.begin() + 2, row.end(), test); });
  };
  std::vector<std::string> signs;
  if (in_a_cell([](const std::string& cell) { return cell.ends_with(kMark); })) signs.push_back("* trained length");
  if (in_a_cell([](const std::string& cell) { return cell == kNothing || cell == std::string(kNothing) + kMark; })) {
    signs.push_back("- no value");
  }
  return signs.empty() ? "" : fmt::format("\n{}\n", join(signs, "   "));
}

}  // namespace

std::string format_length_tables(const std::vector<ReportedRun>& runs, const Metric& metric, const std::string& protocol) {
  constexpr int kRatioDecimals = 2;
  const std::vector<Group> groups = group_runs(runs);
  const Columns columns = columns_of(runs);
  const Measure measure = value_of(metric, protocol);
  const std::string meaning = format_meaning(groups);
  Bootstrap bootstrap;
  std::vector<Row> values = rows_of(groups, columns, measure, metric.decimals, bootstrap);
  const std::vector<Row> ratios = rows_of(groups, columns, ratio_of(measure), kRatioDecimals, bootstrap);
  std::string text = fmt::format("{} by length, {}{}\n\n{}", metric.name, protocol, meaning, format_table(values));
  text += fmt::format("\n{} relative to the trained length{}\n\n{}", metric.name, meaning, format_table(ratios));
  values.insert(values.end(), ratios.begin(), ratios.end());
  return text + format_legend(values);
}

}  // namespace ropewalk
