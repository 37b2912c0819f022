#include "experiments/report/measure.hpp"

#include "experiments/report/statistics.hpp"

namespace ropewalk {
namespace {

using OfCurve = std::optional<Measured> (*)(const Curve&, std::int64_t trained);

Measure curve_measure(const Metric& metric, const Evaluation& evaluation, OfCurve of_curve) {
  return [&metric, evaluation, of_curve](const ReportedRun& run) -> std::optional<Measured> {
    const auto trained = run.trained_length();
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
    const auto trained = run.trained_length();
    if (!trained) return std::nullopt;
    const auto here = value_at(run, question.metric, question.evaluation, length);
    const auto there = value_at(run, question.metric, question.evaluation, *trained);
    return here && there ? std::optional(Measured{*here / *there}) : std::nullopt;
  };
}

Measure effective_length_measure(const Question& question) {
  return curve_measure(find_metric("loss"), question.evaluation, effective_length);
}

Measure tokens_gained_measure(const Question& question) {
  return curve_measure(find_metric("loss"), question.evaluation, tokens_gained);
}

Measure area_measure(const Question& question) { return curve_measure(question.metric, question.evaluation, area); }

std::vector<Measured> measured(const Group& group, const Measure& measure, const Question& question) {
  std::vector<Measured> values;
  for (const ReportedRun* run : group.runs) {
    const auto value = question.evaluation.counts(*run) ? measure(*run) : std::nullopt;
    if (value) values.push_back(*value);
  }
  return values;
}

double mean(const std::vector<Measured>& values) {
  std::vector<double> numbers;
  for (const Measured& value : values) numbers.push_back(value.value);
  return mean(numbers);
}

}  // namespace ropewalk
