#include "experiments/report/measure.hpp"

#include <cmath>

#include "experiments/report/statistics.hpp"

namespace ropewalk {
namespace {

using OfCurve = std::optional<Measured> (*)(const Curve&, std::int64_t trained);

Measure curve_measure(const Metric& metric, const Evaluation& evaluation, OfCurve of_curve) {
  return [&metric, evaluation, of_curve](const ReportedRun& run) -> std::optional<Measured> {
    const auto trained = trained_length(run, evaluation);
    return trained ? of_curve(curve_of(run, metric, evaluation), *trained) : std::nullopt;
  };
}

}  // namespace

Measure value_measure(const Question& question, std::int64_t length) {
  return [&question, length](const ReportedRun& run) -> std::optional<Measured> {
    const auto value = value_at(run, question.metric, question.evaluation, length);
    return value ? std::optional(Measured{*value}) : std::nullopt;
  };
}

Measure ratio_measure(const Question& question, std::int64_t length) {
  return [&question, length](const ReportedRun& run) -> std::optional<Measured> {
    const auto trained = trained_length(run, question.evaluation);
    if (!trained) return std::nullopt;
    const auto here = value_at(run, question.metric, question.evaluation, length);
    const auto there = value_at(run, question.metric, question.evaluation, *trained);
    if (!here || !there || std::isnan(*here / *there)) return std::nullopt;  // as that of two infinite ones
    return Measured{*here / *there};
  };
}

Measure effective_length_measure(const Question& question) {
  return curve_measure(find_metric("loss"), question.evaluation, effective_length);
}

Measure tokens_gained_measure(const Question& question) {
  return curve_measure(find_metric("loss"), question.evaluation, tokens_gained);
}

Measure area_measure(const Question& question) { return curve_measure(question.metric, question.evaluation, area); }

Measure steepest_rise_measure(const Question& question) {
  return curve_measure(find_metric("loss"), question.evaluation, steepest_rise);
}

std::vector<Measured> measured(const Group& group, const Measure& measure, const Question& question) {
  std::vector<Measured> values;
  for (const ReportedRun* run : group.runs) {
    const auto value = question.evaluation.counts(*run) ? measure(*run) : std::nullopt;
    if (value) values.push_back(*value);
  }
  return values;
}

std::set<std::int64_t> trained_lengths(const Group& group, const Question& question) {
  std::set<std::int64_t> lengths;
  for (const ReportedRun* run : group.runs) {
    if (const auto length = trained_length(*run, question.evaluation)) lengths.insert(*length);
  }
  return lengths;
}

double mean(const std::vector<Measured>& values) {
  std::vector<double> numbers;
  for (const Measured& value : values) numbers.push_back(value.value);
  return mean(numbers);
}

}  // namespace ropewalk
