#include "experiments/run/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ropewalk {
namespace {

/// Mean loss by index of the window, one row a length, as wide as the longest.
PositionLoss position_loss(const std::vector<Index>& lengths, const Score* scores) {
  const auto width = static_cast<std::size_t>(*std::max_element(lengths.begin(), lengths.end()));
  PositionLoss result;
  result.loss.assign(lengths.size() * width, std::numeric_limits<double>::quiet_NaN());
  result.count.assign(lengths.size() * width, 0);
  for (std::size_t e = 0; e < lengths.size(); ++e) {
    const Score& score = scores[e];
    for (std::size_t i = 0; i < score.position_count.size(); ++i) {
      result.count[e * width + i] = score.position_count[i];
      if (score.position_count[i] > 0) {
        result.loss[e * width + i] = score.position_nats[i] / static_cast<double>(score.position_count[i]);
      }
    }
  }
  return result;
}

/// One protocol at one length.
struct Part {
  Index length;
  std::vector<Window> windows;
};

std::vector<Part> parts_of(const config::EvaluateSettings& settings, const Corpus& corpus) {
  std::vector<Part> parts;
  for (const std::string& protocol : settings.protocols) {
    for (Index length : settings.lengths) {
      parts.push_back({length, protocol_windows(protocol, length, protocol_settings(settings, corpus.held_out()))});
    }
  }
  return parts;
}

}  // namespace

ProtocolSettings protocol_settings(const config::EvaluateSettings& settings, Index held_out) {
  return {std::min(settings.tokens, held_out), settings.stride, settings.targets,
          *std::max_element(settings.lengths.begin(), settings.lengths.end())};
}

std::optional<std::vector<Score>> evaluate_lengths(const nn::Transformer& model, const Dataset& dataset,
                                                   const config::EvaluateSettings& settings, const Random& random, Crew& crew,
                                                   const std::shared_ptr<Meter>& meter, const EvaluationProgress& progress,
                                                   Ranks& ranks) {
  const std::vector<Part> parts = parts_of(settings, dataset.corpus);
  Index total = 0;
  for (const Part& part : parts) total += part.length * static_cast<Index>(part.windows.size());
  Watch watch(total, progress);
  std::vector<Score> scores;
  for (const Part& part : parts) {
    scores.push_back(evaluate(
        model, dataset, part.windows, part.length, random, crew, meter, [&](Index tokens) { return watch.begin(tokens); },
        ranks));
    if (watch.gave_up()) return {};
  }
  return scores;
}

void append_evaluation(EvaluateSeries& series, Index step, int stage, const std::vector<Score>& scores) {
  series.step.push_back(step);
  series.stage.push_back(stage);
  for (const Score& score : scores) {
    series.loss.push_back(score.loss());
    series.perplexity.push_back(std::exp(score.loss()));
    series.token_accuracy.push_back(score.accuracy());
    series.scored.push_back(score.scored);
    if (series.bits_per_byte) series.bits_per_byte->push_back(score.loss() / std::numbers::ln2);
  }
  series.attention.reset();
  const auto whole = std::find(series.protocol.begin(), series.protocol.end(), "nonoverlapping");
  if (whole == series.protocol.end()) return;
  const auto first = (whole - series.protocol.begin()) * static_cast<std::ptrdiff_t>(series.length.size());
  series.position = position_loss(series.length, scores.data() + first);
}

}  // namespace ropewalk
