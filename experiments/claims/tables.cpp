#include "experiments/claims/tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/report/csv_line.hpp"
#include "experiments/report/number.hpp"

namespace ropewalk {
namespace {

constexpr int kDecimals = 3;
constexpr const char* kNothing = "-";

std::string number(const std::optional<double>& value) { return value ? format_number(*value, kDecimals) : kNothing; }

std::string difference(const Finding& finding) {
  if (!finding.difference) return kNothing;
  const std::string center = format_signed(*finding.difference, kDecimals);
  if (!finding.interval) return center;
  return fmt::format("{} [{}, {}]", center, format_signed(finding.interval->low, kDecimals),
                     format_signed(finding.interval->high, kDecimals));
}

std::string verdict(const Finding& finding) {
  return finding.why.empty() ? to_string(finding.verdict) : fmt::format("{}: {}", to_string(finding.verdict), finding.why);
}

bool has_cases(const std::vector<JudgedComparison>& comparisons) {
  return std::ranges::any_of(comparisons, [](const JudgedComparison& one) { return !one.case_name.empty(); });
}

std::string side(const std::optional<double>& value, bool bound) { return (bound ? "≥" : "") + number(value); }

std::string cell(const TableRow::Cell& cell, Bootstrap& bootstrap) {
  if (cell.values.empty()) return kNothing;
  std::string text = format_number(mean(cell.values), 2);
  if (const auto interval = bootstrap.interval(cell.values)) {
    text += fmt::format(" [{}, {}]", format_number(interval->low, 2), format_number(interval->high, 2));
  }
  return cell.values.size() < cell.runs ? fmt::format("{} ({} of {})", text, cell.values.size(), cell.runs) : text;
}

std::string exact(const std::optional<double>& value) { return value && std::isfinite(*value) ? fmt::format("{}", *value) : ""; }

void append_lines(std::string& text, const Judgement& judgement, const std::vector<JudgedComparison>& comparisons,
                  const char* part) {
  for (const JudgedComparison& one : comparisons) {
    const Finding& finding = one.finding;
    const auto low = finding.interval ? std::optional(finding.interval->low) : std::nullopt;
    const auto high = finding.interval ? std::optional(finding.interval->high) : std::nullopt;
    text += csv_line({judgement.claim->id, to_string(judgement.verdict), part, one.comparison->text, one.case_name,
                      exact(finding.left), exact(finding.right), finding.left_bound ? "1" : "0", finding.right_bound ? "1" : "0",
                      exact(finding.difference), exact(low), exact(high), std::to_string(finding.pairs),
                      to_string(finding.verdict), finding.why});
  }
}

}  // namespace

std::vector<Row> comparison_rows(const std::vector<JudgedComparison>& comparisons) {
  const bool cases = has_cases(comparisons);
  std::vector<Row> rows;
  const auto add = [&](Row row) {
    if (!cases) row.erase(row.begin() + 1);
    rows.push_back(std::move(row));
  };
  add({"comparison", "where", "left", "right", "left - right", "pairs", "verdict"});
  for (const auto& [comparison, name, finding] : comparisons) {
    add({comparison->text, name, side(finding.left, finding.left_bound), side(finding.right, finding.right_bound),
         difference(finding), std::to_string(finding.pairs), verdict(finding)});
  }
  return rows;
}

std::vector<Row> published_rows(const Published& published) {
  std::vector<Row> rows;
  if (published.rows.empty()) return rows;
  rows.push_back({""});
  rows.back().insert(rows.back().end(), published.columns.begin(), published.columns.end());
  for (const auto& [name, cells] : published.rows) {
    rows.push_back({name});
    rows.back().insert(rows.back().end(), cells.begin(), cells.end());
  }
  return rows;
}

std::vector<Row> measured_rows(const Judgement& judgement) {
  std::vector<Row> rows;
  if (judgement.table.empty()) return rows;
  Bootstrap bootstrap;
  rows.push_back({""});
  for (const LengthTerm& length : judgement.claim->table) rows.back().push_back(length.text);
  for (const TableRow& line : judgement.table) {
    Row row{line.case_name.empty() ? line.series : fmt::format("{}, {}", line.series, line.case_name)};
    for (const TableRow::Cell& each : line.cells) row.push_back(cell(each, bootstrap));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string meaning_of_brackets(const Judgement& judgement) {
  std::vector<std::size_t> counts;
  for (const auto* part : {&judgement.predicate, &judgement.tried}) {
    for (const JudgedComparison& one : *part) counts.push_back(one.finding.pairs);
  }
  return name_of_intervals(counts, "pairs");
}

std::string claims_csv(const std::vector<Judgement>& judgements) {
  std::string text = csv_line({"claim", "claim_verdict", "part", "comparison", "where", "left", "right", "left_at_least",
                               "right_at_least", "difference", "low", "high", "pairs", "verdict", "why"});
  for (const Judgement& judgement : judgements) {
    append_lines(text, judgement, judgement.predicate, "predicate");
    append_lines(text, judgement, judgement.tried, "tried");
  }
  return text;
}

std::string count_of_verdicts(const std::vector<Judgement>& judgements) {
  const auto count = [&](Verdict verdict) { return std::ranges::count(judgements, verdict, &Judgement::verdict); };
  return fmt::format("{} reproduced, {} not reproduced, {} undecided", count(Verdict::reproduced), count(Verdict::not_reproduced),
                     count(Verdict::undecided));
}

}  // namespace ropewalk
