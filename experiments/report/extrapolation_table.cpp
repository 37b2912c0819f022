#include "experiments/report/extrapolation_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "experiments/report/cell.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

bool goes_beyond(const std::vector<Group>& groups, const Question& question) {
  return std::ranges::any_of(groups, [&](const Group& group) {
    return std::ranges::any_of(group.runs, [&](const ReportedRun* run) {
      const std::vector<std::int64_t>& lengths = run->record.evaluate.length;
      const auto trained = trained_length(*run, question.evaluation);
      return !lengths.empty() && trained && std::ranges::max(lengths) > *trained;
    });
  });
}

std::string format_trained_lengths(const Group& group, const Question& question) {
  std::vector<std::string> texts;
  for (const std::int64_t length : trained_lengths(group, question)) texts.push_back(fmt::format("{}", length));
  return texts.empty() ? kNothing : join(texts, ", ");
}

}  // namespace

std::string format_extrapolation_table(const std::vector<Group>& groups, const Question& question) {
  if (!goes_beyond(groups, question)) return "";
  Cells cells(question.counted);
  std::vector<Row> rows{{"run", question.counted, "trained length", "effective length", "tokens gained", "area"}};
  for (const Group& group : groups) {
    const bool is_comparable = trained_lengths(group, question).size() < 2;  // else a mean would be over different questions
    const auto cell = [&](const Measure& measure, int decimals) {
      return is_comparable ? cells.of(group, measure, question, decimals) : kNothing;
    };
    Row row = row_of(group, question);
    row.push_back(format_trained_lengths(group, question));
    row.push_back(cell(effective_length_measure(question), 0));
    row.push_back(cell(tokens_gained_measure(question), 0));
    row.push_back(cell(area_measure(question), question.metric.decimals));
    rows.push_back(row);
  }
  return fmt::format(
      "beyond the trained length{}\n\n{}\n"
      "effective length: the longest whose loss is within 2 % of that at the trained length (≥: the longest evaluated)\n"
      "tokens gained: past the trained length, before perplexity passes 1.01 of what it is there\n"
      "area: mean {} over log2 of the length, from the trained one to the longest\n",
      cells.meaning(), format_table(rows), question.metric.name);
}

}  // namespace ropewalk
