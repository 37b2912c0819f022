#include "experiments/report/metric.hpp"

#include <algorithm>

#include "experiments/errors.hpp"
#include "experiments/report/join.hpp"

namespace ropewalk {
namespace {

template <class T>
std::optional<std::size_t> place_of(const std::vector<T>& values, const T& value) {
  const auto found = std::ranges::find(values, value);
  if (found == values.end()) return std::nullopt;
  return static_cast<std::size_t>(found - values.begin());
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all{
      {"perplexity", "exp of the mean loss", 2, [](const EvaluateSeries& e) { return &e.perplexity; }},
      {"loss", "mean nats per scored token", 3, [](const EvaluateSeries& e) { return &e.loss; }},
      {"bits_per_byte", "loss in bits per byte of text", 3,
       [](const EvaluateSeries& e) { return e.bits_per_byte ? &*e.bits_per_byte : nullptr; }},
      {"token_accuracy", "share of scored tokens predicted right", 3, [](const EvaluateSeries& e) { return &e.token_accuracy; }},
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

std::optional<std::size_t> last_value(const EvaluateSeries& evaluate, const std::string& protocol, std::int64_t length) {
  const auto p = place_of(evaluate.protocol, protocol);
  const auto e = place_of(evaluate.length, length);
  if (evaluate.step.empty() || !p || !e) return std::nullopt;
  return ((evaluate.step.size() - 1) * evaluate.protocol.size() + *p) * evaluate.length.size() + *e;
}

}  // namespace ropewalk
