#include "experiments/claims/tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/claims/whole_run.hpp"
#include "experiments/report/csv_line.hpp"
#include "experiments/report/number.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

constexpr int kDecimals = 3;
constexpr const char* kNothing = "-";

std::string number(const std::optional<double>& value) { return value ? format_number(*value, kDecimals) : kNothing; }

/// As many decimals as it takes for none of the values that is not 0 to look like 0.
int decimals_of(const std::vector<double>& values) {
  constexpr int kMost = 9;
  const auto vanishes = [](double value, int decimals) { return value != 0 && std::abs(value) < std::pow(10, -decimals); };
  int decimals = kDecimals;
  while (decimals < kMost && std::ranges::any_of(values, [&](double value) { return vanishes(value, decimals); })) ++decimals;
  return decimals;
}

std::string difference(const Finding& finding) {
  if (!finding.difference) return kNothing;
  if (finding.left_bound && finding.right_bound) return kNothing;
  if (finding.left_bound || finding.right_bound) {
    return (finding.left_bound ? "≥" : "≤") + format_signed(*finding.difference, kDecimals);
  }
  if (!finding.interval) return format_signed(*finding.difference, decimals_of({*finding.difference}));
  const int decimals = decimals_of({*finding.difference, finding.interval->low, finding.interval->high});
  return fmt::format("{} [{}, {}]", format_signed(*finding.difference, decimals), format_signed(finding.interval->low, decimals),
                     format_signed(finding.interval->high, decimals));
}

std::string verdict(const Finding& finding) {
  std::string text = to_string(finding.verdict);
  if (!finding.why.empty()) text += ": " + finding.why;
  return finding.other_text ? text + " (one side is scored on more of the text)" : text;
}

std::string runs_of(const Series& series) {
  std::vector<std::string> words{in_words(series.where), in_words(series.first, "first ")};
  if (series.stage > 1) words.push_back(fmt::format("{} stages", series.stage));
  std::erase(words, "");
  return words.empty() ? "all" : join(words, ", ");
}

std::string measured_of(const Series& series) {
  const std::string &metric = series.metric, unit = unit_of(metric);
  std::string text = unit == metric ? metric : fmt::format("{} ({})", metric, unit);
  if (is_of_lengths(metric)) text += ", " + series.protocol;
  return text;
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
  add({"comparison", "where", "left side", "right side", "left - right", "pairs", "verdict"});
  for (const auto& [comparison, name, finding] : comparisons) {
    add({comparison->text, name, side(finding.left, finding.left_bound), side(finding.right, finding.right_bound),
         difference(finding), std::to_string(finding.pairs), verdict(finding)});
  }
  return rows;
}

std::vector<Row> series_rows(const Claim& claim) {
  std::vector<Row> rows{{"series", "runs of the study", "evaluated", "measured"}};
  for (const Series& series : claim.series) {
    std::string evaluation = "as recorded";
    const auto found = std::ranges::find(claim.evaluations, series.evaluation, &ClaimEvaluation::name);
    if (found != claim.evaluations.end()) evaluation = join(found->sets, ", ");
    rows.push_back({series.name, runs_of(series), evaluation, measured_of(series)});
  }
  const auto recorded = [](const Series& series) { return series.evaluation.empty(); };
  if (std::ranges::all_of(claim.series, recorded)) {
    for (Row& row : rows) row.erase(row.begin() + 2);
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
  const std::string name = name_of_intervals(counts, "pairs");
  const bool of_three = std::ranges::count(counts, kFewestPairs) > 0;
  return of_three ? name + "; without any effect three pairs agree by chance once in 4" : name;
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

std::string held(const Judgement& judgement) {
  const auto holds = [](const JudgedComparison& one) { return one.finding.verdict == Verdict::reproduced; };
  return fmt::format("{} of {}", std::ranges::count_if(judgement.predicate, holds), judgement.predicate.size());
}

std::string counted(std::size_t number, const std::string& thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::string count_of_verdicts(const std::vector<Judgement>& judgements) {
  const auto count = [&](Verdict verdict) { return std::ranges::count(judgements, verdict, &Judgement::verdict); };
  const auto lacks = [](const JudgedComparison& one) { return one.finding.lacks_numbers; };
  const auto open = std::ranges::count_if(judgements, [&](const Judgement& one) {
    return one.verdict == Verdict::undecided && std::ranges::any_of(one.predicate, lacks);
  });
  return fmt::format("{} reproduced, {} not reproduced, {} undecided{}", count(Verdict::reproduced),
                     count(Verdict::not_reproduced), count(Verdict::undecided),
                     open > 0 ? fmt::format(", of which {} for lack of runs", open) : "");
}

}  // namespace ropewalk
