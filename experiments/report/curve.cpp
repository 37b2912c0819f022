#include "experiments/report/curve.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {
namespace {

template <class T>
std::optional<std::size_t> find_in(const std::vector<T>& values, const T& value) {
  const auto found = std::ranges::find(values, value);
  if (found == values.end()) return std::nullopt;
  return static_cast<std::size_t>(found - values.begin());
}

std::optional<std::size_t> index_of_step(const EvaluateSeries& evaluate, std::optional<std::int64_t> step) {
  if (step) return find_in(evaluate.step, *step);
  if (evaluate.step.empty()) return std::nullopt;
  return evaluate.step.size() - 1;
}

/// Where the values of an evaluation begin.
std::optional<std::size_t> place_of(const EvaluateSeries& evaluate, const Evaluation& which) {
  const auto s = index_of_step(evaluate, which.step);
  return s ? place_of(evaluate, *s, which.protocol) : std::nullopt;
}

}  // namespace

bool Evaluation::counts(const ReportedRun& run) const {
  return step ? index_of_step(run.record.evaluate, step).has_value() : run.done();
}

std::string Evaluation::name() const { return step ? fmt::format("{}, step {}", protocol, *step) : protocol; }

Curve curve_of(const ReportedRun& run, const Metric& metric, const Evaluation& which) {
  const EvaluateSeries& evaluate = run.record.evaluate;
  const std::vector<double>* values = metric.values(evaluate);
  const auto place = place_of(evaluate, which);
  Curve curve;
  if (values == nullptr || !place) return curve;
  for (std::size_t e = 0; e < evaluate.length.size(); ++e) curve[evaluate.length[e]] = (*values)[*place + e];
  return curve;
}

std::optional<double> value_at(const ReportedRun& run, const Metric& metric, const Evaluation& which, std::int64_t length) {
  const EvaluateSeries& evaluate = run.record.evaluate;
  const std::vector<double>* values = metric.values(evaluate);
  const auto place = place_of(evaluate, which);
  const auto e = find_in(evaluate.length, length);
  if (values == nullptr || !place || !e || std::isnan((*values)[*place + *e])) return std::nullopt;
  return (*values)[*place + *e];
}

std::optional<std::int64_t> trained_length(const ReportedRun& run, const Evaluation& which) {
  const auto s = index_of_step(run.record.evaluate, which.step);
  return s ? run.trained_length(run.record.evaluate.stage[*s]) : run.trained_length();
}

std::vector<std::int64_t> scored_of(const ReportedRun& run, const Evaluation& which) {
  const EvaluateSeries& evaluate = run.record.evaluate;
  const auto place = place_of(evaluate, which);
  if (!place) return {};
  const auto first = evaluate.scored.begin() + static_cast<std::ptrdiff_t>(*place);
  return {first, first + static_cast<std::ptrdiff_t>(evaluate.length.size())};
}

std::optional<std::size_t> place_of(const EvaluateSeries& evaluate, std::size_t s, const std::string& protocol) {
  const auto p = find_in(evaluate.protocol, protocol);
  if (!p) return std::nullopt;
  return (s * evaluate.protocol.size() + *p) * evaluate.length.size();
}

}  // namespace ropewalk
