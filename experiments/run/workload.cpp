#include "experiments/run/workload.hpp"

#include <algorithm>

#include "experiments/run/attention.hpp"
#include "experiments/run/evaluation.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {

double forward_flops(const nn::TransformerSettings& model, Index vocabulary, Index length) {
  const auto width = static_cast<double>(model.width), hidden = static_cast<double>(model.hidden_width());
  const double tokens = static_cast<double>(length);
  const double feed_forward = (model.activation == "swiglu" ? 3 : 2) * width * hidden;
  const double weights =
      static_cast<double>(model.layers) * (4 * width * width + feed_forward) + static_cast<double>(vocabulary) * width;
  const double pairs = model.causal() ? tokens * (tokens + 1) / 2 : tokens * tokens;
  return 2 * weights * tokens + 4 * width * pairs * static_cast<double>(model.layers);
}

std::map<Index, Index> windows_by_length(const config::EvaluateSettings& settings, Index held_out) {
  const ProtocolSettings laid = protocol_settings(settings, held_out);
  std::map<Index, Index> windows;
  for (const std::string& protocol : settings.protocols) {
    for (Index length : settings.lengths) windows[length] += static_cast<Index>(protocol_windows(protocol, length, laid).size());
  }
  return windows;
}

std::map<Index, Index> attention_windows_by_length(const config::Settings& settings, Index held_out) {
  std::map<Index, Index> windows;
  if (!settings.record.attention) return windows;
  for (Index length : settings.evaluate.lengths) {
    windows[length] += static_cast<Index>(attention_windows(settings.evaluate, length, held_out).size());
  }
  return windows;
}

Workload workload_after(const config::RunConfig& run, Index done) {
  const Index from = std::max(done, run.steps_before), end = run.steps(), every = run.settings.evaluate.every;
  const Index between = every > 0 ? end / every - from / every : 0;
  const bool last_is_between = every > 0 && end % every == 0 && end > from;
  return {end - from, between + (last_is_between ? 0 : 1)};
}

double flops_of(const Workload& work, const config::Settings& settings, Index held_out) {
  const Index vocabulary = vocabulary_of(settings).size;
  const auto forward = [&](Index length) { return forward_flops(settings.model, vocabulary, length); };
  const double step = 3 * static_cast<double>(settings.train.batch) * forward(settings.train.length);
  const auto all_of = [&](const std::map<Index, Index>& windows_by_length) {
    double flops = 0;
    for (const auto& [length, windows] : windows_by_length) flops += static_cast<double>(windows) * forward(length);
    return flops;
  };
  return step * static_cast<double>(work.steps) +
         all_of(windows_by_length(settings.evaluate, held_out)) * static_cast<double>(work.evaluations) +
         all_of(attention_windows_by_length(settings, held_out));
}

}  // namespace ropewalk
