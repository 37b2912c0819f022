#include "experiments/report/cell.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/report/number.hpp"
#include "experiments/report/pairs.hpp"

namespace ropewalk {
namespace {

template <class Format>
std::string format_interval(double center, const std::optional<Interval>& interval, Format&& format) {
  if (!interval || interval->low == interval->high) return format(center);
  return fmt::format("{} [{}, {}]", format(center), format(interval->low), format(interval->high));
}

}  // namespace

std::string Cells::of(const Group& group, const Measure& measure, const Question& question, int decimals) {
  const std::vector<Measured> values = measured(group, measure, question);
  if (values.empty()) return kNothing;
  counts_.push_back(values.size());
  std::vector<double> numbers;
  for (const Measured& value : values) numbers.push_back(value.value);
  const std::string bound = std::ranges::any_of(values, &Measured::at_least) ? "≥" : "";
  const std::string text = format_interval(mean(numbers), bootstrap_.interval(numbers),
                                           [&](double number) { return format_number(number, decimals); });
  return bound + text + fewer(values.size(), count_of(group, question));
}

std::string Cells::difference(const std::vector<double>& differences, std::size_t pairs, int decimals) {
  if (differences.empty()) return kNothing;
  counts_.push_back(differences.size());
  const auto interval = bootstrap_.interval(differences);
  const std::string text =
      format_interval(mean(differences), interval, [&](double number) { return format_signed(number, decimals); });
  return text + (interval ? " " + sign_of(interval) : "") + fewer(differences.size(), pairs);
}

std::string Cells::meaning() const {
  const std::string intervals = name_of_intervals(counts_, counted_);
  return intervals.empty() ? "" : fmt::format(": mean over {} [{}]", counted_, intervals);
}

std::string Cells::meaning_of_fewer() const { return has_fewer_ ? fmt::format("(2) of so many {} alone", counted_) : ""; }

std::string Cells::fewer(std::size_t values, std::size_t all) {
  if (values >= all) return "";
  has_fewer_ = true;
  return fmt::format(" ({})", values);
}

std::size_t count_of(const Group& group, const Question& question) {
  return static_cast<std::size_t>(
      std::ranges::count_if(group.runs, [&](const ReportedRun* run) { return question.evaluation.counts(*run); }));
}

Row row_of(const Group& group, const Question& question) {
  const std::size_t count = count_of(group, question), all = group.runs.size();
  return {group.label.empty() ? "all runs" : group.label,
          count == all ? fmt::format("{}", all) : fmt::format("{} of {}", count, all)};
}

}  // namespace ropewalk
