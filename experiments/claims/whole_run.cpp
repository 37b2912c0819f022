#include "experiments/claims/whole_run.hpp"

#include <algorithm>

namespace ropewalk {
namespace {

struct WholeRunMetric {
  std::string name;
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
      {"effective_length", true, effective_length_measure},
      {"tokens_gained", true, tokens_gained_measure},
      {"area", true, area_measure},
      {"steepest_rise", true, steepest_rise_measure},
      {"tokens_per_second", false, [](const Question&) -> Measure { return tokens_per_second; }},
      {"peak_bytes", false, [](const Question&) -> Measure { return peak_bytes; }},
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
  if (metric == "effective_length" || metric == "tokens_gained") return "tokens";
  if (metric == "steepest_rise") return "nats per doubling of the length";
  if (metric == "loss") return "nats";
  return metric;
}

Measure whole_run_measure(const std::string& metric, const Question& question) {
  return std::ranges::find(all(), metric, &WholeRunMetric::name)->measure(question);
}

}  // namespace ropewalk
