#include "experiments/report/metric.hpp"

#include <algorithm>

#include "experiments/errors.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all{
      {"perplexity", "exp of the mean loss", 2, false, [](const EvaluateSeries& e) { return &e.perplexity; }},
      {"loss", "mean nats per scored token", 3, false, [](const EvaluateSeries& e) { return &e.loss; }},
      {"bits_per_byte", "loss in bits per byte of text", 3, false,
       [](const EvaluateSeries& e) { return e.bits_per_byte ? &*e.bits_per_byte : nullptr; }},
      {"token_accuracy", "share of scored tokens predicted right", 3, true,
       [](const EvaluateSeries& e) { return &e.token_accuracy; }},
  };
  return all;
}

const Metric& find_metric(const std::string& name) {
  const auto found = std::ranges::find(metrics(), name, &Metric::name);
  if (found != metrics().end()) return *found;
  std::vector<std::string> choices;
  for (const Metric& metric : metrics()) choices.push_back(metric.name);
  throw UsageError(fmt::format("report: metric: expected one of {}, got '{}'", join(choices, ", "), name));
}

}  // namespace ropewalk
