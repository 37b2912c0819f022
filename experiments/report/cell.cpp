#include "experiments/report/cell.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/report/pairs.hpp"

namespace ropewalk {
namespace {

/// Fewer decimals for larger numbers, so that a model far beyond its length does not widen the table.
std::string format_number(double value, int decimals) {
  const double size = std::abs(value);
  if (size >= 1e6) return fmt::format("{:.2e}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, size >= 100 ? std::min(decimals, 1) : decimals);
}

/// What is rounded to 0 has no sign.
std::string format_signed(double value, int decimals) {
  const std::string number = format_number(value, decimals);
  if (number.find_first_not_of("-0.") == std::string::npos) return format_number(0, decimals);
  return value > 0 ? "+" + number : number;
}

template <class Format>
std::string format_interval(double center, const std::optional<Interval>& interval, Format&& format) {
  if (!interval || interval->low == interval->high) return format(center);
  return fmt::format("{} [{}, {}]", format(center), format(interval->low), format(interval->high));
}

std::size_t count_of(const Group& group, const Question& question) {
  return static_cast<std::size_t>(
      std::ranges::count_if(group.runs, [&](const ReportedRun* run) { return question.evaluation.counts(*run); }));
}

}  // namespace

std::string format_cell(const std::vector<Measured>& values, int decimals, Bootstrap& bootstrap) {
  if (values.empty()) return kNothing;
  std::vector<double> numbers;
  for (const Measured& value : values) numbers.push_back(value.value);
  const std::string bound = std::ranges::any_of(values, &Measured::at_least) ? "≥" : "";
  return bound + format_interval(mean(numbers), bootstrap.interval(numbers),
                                 [&](double number) { return format_number(number, decimals); });
}

std::string format_difference(const std::vector<double>& differences, int decimals, Bootstrap& bootstrap) {
  if (differences.empty()) return kNothing;
  const auto interval = bootstrap.interval(differences);
  const std::string text =
      format_interval(mean(differences), interval, [&](double number) { return format_signed(number, decimals); });
  return interval ? text + " " + sign_of(interval) : text;
}

Row row_of(const Group& group, const Question& question) {
  const std::size_t count = count_of(group, question), all = group.runs.size();
  return {group.label.empty() ? "all runs" : group.label,
          count == all ? fmt::format("{}", all) : fmt::format("{} of {}", count, all)};
}

std::string format_meaning(const std::vector<Group>& groups, const Question& question) {
  std::size_t most = 0;
  for (const Group& group : groups) most = std::max(most, count_of(group, question));
  return most < 2 ? "" : fmt::format(": mean over {0} [{1}]", question.counted, name_of_interval(most, question.counted));
}

}  // namespace ropewalk
