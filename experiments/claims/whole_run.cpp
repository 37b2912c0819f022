#include "experiments/claims/whole_run.hpp"

#include <algorithm>

namespace ropewalk {
namespace {

struct WholeRunMetric {
  std::string name, unit;
  bool of_lengths;
  Measure (*measure)(const Question&);
};

/// Of training, between the first and the last recorded step, so that the first ones, in which memory is laid out, do not count.
std::optional<Measured> tokens_per_second(const ReportedRun& run) {
  const TrainSeries& train = run.record.train;
  if (train.step.size() < 2 || train.seconds.back() <= train.seconds.front()) return std::nullopt;
  return Measured{static_cast<double>(train.tokens.back() - train.tokens.front()) /
                  (train.seconds.back() - train.seconds.front())};
}

std::optional<Measured> peak_bytes(const ReportedRun& run) {
  return run.record.peak_bytes > 0 ? std::optional(Measured{static_cast<double>(run.record.peak_bytes)}) : std::nullopt;
}

const std::vector<WholeRunMetric>& all() {
  static const std::vector<WholeRunMetric> metrics{
      {"effective_length", "tokens", true, effective_length_measure},
      {"tokens_gained", "tokens", true, tokens_gained_measure},
      {"area", "area", true, area_measure},
      {"steepest_rise", "nats per doubling of the length", true, steepest_rise_measure},
      {"tokens_per_second", "tokens_per_second", false, [](const Question&) -> Measure { return tokens_per_second; }},
      {"peak_bytes", "peak_bytes", false, [](const Question&) -> Measure { return peak_bytes; }},
  };
  return metrics;
}

}  // namespace

const std::vector<std::string>& whole_run_metrics() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const WholeRunMetric& metric : all()) result.push_back(metric.name);
    return result;
  }();
  return names;
}

bool is_whole_run_metric(const std::string& metric) { return std::ranges::count(whole_run_metrics(), metric) > 0; }

bool is_of_lengths(const std::string& metric) {
  const auto found = std::ranges::find(all(), metric, &WholeRunMetric::name);
  return found == all().end() || found->of_lengths;
}

std::string unit_of(const std::string& metric) {
  const auto found = std::ranges::find(all(), metric, &WholeRunMetric::name);
  if (found != all().end()) return found->unit;
  return metric == "loss" ? "nats" : metric;
}

Measure whole_run_measure(const std::string& metric, const Question& question) {
  return std::ranges::find(all(), metric, &WholeRunMetric::name)->measure(question);
}

}  // namespace ropewalk
