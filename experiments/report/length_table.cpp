#include "experiments/report/length_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/report/cell.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

constexpr const char* kTrained = "*";  // of the trained length
constexpr const char* kBest = "<";     // of a column
constexpr int kRatioDecimals = 2;

using MeasureAt = Measure (*)(const Question&, std::int64_t length);

/// The columns of both tables.
struct Columns {
  std::vector<std::int64_t> lengths;
  std::set<std::int64_t> trained;  ///< trained lengths of all runs

  /// The mark stands in the header if all runs were trained at one length, otherwise in each row.
  bool mark_in_header() const { return trained.size() == 1; }
  std::string header_mark(std::int64_t length) const { return mark_in_header() && *trained.begin() == length ? kTrained : ""; }
  std::string cell_mark(const Group& group, const Question& question, std::int64_t length) const {
    return !mark_in_header() && trained_lengths(group, question).contains(length) ? kTrained : "";
  }
};

Columns columns_of(const std::vector<Group>& groups, const Question& question) {
  Columns columns{lengths_of(groups), {}};
  for (const Group& group : groups) {
    columns.trained.merge(trained_lengths(group, question));
  }
  return columns;
}

Row header_of(const Columns& columns, const Question& question) {
  Row header{"run", question.counted};
  for (const std::int64_t length : columns.lengths) header.push_back(fmt::format("{}{}", length, columns.header_mark(length)));
  return header;
}

std::vector<Row> rows_of(const std::vector<Group>& groups, const Columns& columns, const Question& question, MeasureAt measure_at,
                         int decimals, Cells& cells) {
  std::vector<Row> rows{header_of(columns, question)};
  for (const Group& group : groups) {
    Row row = row_of(group, question);
    for (const std::int64_t length : columns.lengths) {
      row.push_back(cells.of(group, measure_at(question, length), question, decimals) +
                    columns.cell_mark(group, question, length));
    }
    rows.push_back(row);
  }
  return rows;
}

/// Marks the groups with the best mean of each column in which there are several to choose from.
void mark_best(std::vector<Row>& rows, const std::vector<Group>& groups, const Columns& columns, const Question& question) {
  for (std::size_t column = 0; column < columns.lengths.size(); ++column) {
    std::vector<double> means;
    for (const Group& group : groups) {
      const double value = mean(measured(group, value_measure(question, columns.lengths[column]), question));
      means.push_back(question.metric.more_is_better ? -value : value);
    }
    if (std::ranges::count_if(means, [](double value) { return !std::isnan(value); }) < 2) continue;
    double best = std::numeric_limits<double>::infinity();
    for (const double value : means) best = std::fmin(best, value);
    if (std::isinf(best)) continue;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (means[i] == best) rows[i + 1][column + 2] += kBest;
    }
  }
}

/// The signs that the tables use.
std::string format_legend(const std::vector<Row>& rows, const Cells& cells) {
  const auto in_a_cell = [&](auto&& test) {
    return std::ranges::any_of(rows, [&](const Row& row) { return std::any_of(row.begin() + 2, row.end(), test); });
  };
  std::vector<std::string> signs;
  if (in_a_cell([](const std::string& cell) { return cell.find(kTrained) != cell.npos; })) signs.push_back("* trained length");
  if (in_a_cell([](const std::string& cell) { return cell.ends_with(kBest); })) signs.push_back("< best of the column");
  if (in_a_cell([](const std::string& cell) { return cell == kNothing || cell == std::string(kNothing) + kTrained; })) {
    signs.push_back("- no value");
  }
  if (const std::string fewer = cells.meaning_of_fewer(); !fewer.empty()) signs.push_back(fewer);
  return signs.empty() ? "" : fmt::format("\n{}\n", join(signs, "   "));
}

/// How many tokens stand behind each length, where that differs: a window that does not fit whole is dropped.
std::string format_scored(const std::vector<Group>& groups, const Question& question) {
  std::set<std::int64_t> counts;
  for (const Group& group : groups) {
    for (const ReportedRun* run : group.runs) {
      if (!question.evaluation.counts(*run)) continue;
      for (const std::int64_t count : scored_of(*run, question.evaluation)) counts.insert(count);
    }
  }
  counts.erase(0);  // of lengths that the scheme does not reach
  if (counts.size() < 2) return "";
  return fmt::format("scored tokens at a length: {} to {}, as whole windows fit into evaluate.tokens\n", *counts.begin(),
                     *counts.rbegin());
}

}  // namespace

std::string format_length_tables(const std::vector<Group>& groups, const Question& question) {
  const Metric& metric = question.metric;
  const Columns columns = columns_of(groups, question);
  Cells value_cells(question.counted), ratio_cells(question.counted);
  std::vector<Row> values = rows_of(groups, columns, question, value_measure, metric.decimals, value_cells);
  mark_best(values, groups, columns, question);
  const std::vector<Row> ratios = rows_of(groups, columns, question, ratio_measure, kRatioDecimals, ratio_cells);
  std::string text = fmt::format("{} by length, {}{}\n\n{}", metric.name, question.evaluation.name(), value_cells.meaning(),
                                 format_table(values));
  text += fmt::format("\n{} relative to the trained length{}\n\n{}", metric.name, ratio_cells.meaning(), format_table(ratios));
  values.insert(values.end(), ratios.begin(), ratios.end());
  return text + format_legend(values, value_cells) + format_scored(groups, question);
}

std::vector<std::int64_t> lengths_of(const std::vector<Group>& groups) {
  std::set<std::int64_t> lengths;
  for (const Group& group : groups) {
    for (const ReportedRun* run : group.runs) {
      lengths.insert(run->record.evaluate.length.begin(), run->record.evaluate.length.end());
    }
  }
  return {lengths.begin(), lengths.end()};
}

}  // namespace ropewalk
