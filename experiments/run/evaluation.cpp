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

}  // namespace

ProtocolSettings protocol_settings(const config::EvaluateSettings& settings, const Corpus& corpus) {
  return {std::min(settings.tokens, corpus.held_out()), settings.stride, settings.targets,
          *std::max_element(settings.lengths.begin(), settings.lengths.end())};
}

std::vector<Score> evaluate_lengths(const nn::Transformer& model, const Corpus& corpus, const config::EvaluateSettings& settings,
                                    Crew& crew, const std::shared_ptr<Meter>& meter) {
  std::vector<Score> scores;
  for (const std::string& protocol : settings.protocols) {
    for (Index length : settings.lengths) {
      const std::vector<Window> windows = protocol_windows(protocol, length, protocol_settings(settings, corpus));
      scores.push_back(evaluate(model, corpus, windows, length, crew, meter));
    }
  }
  return scores;
}

void append_evaluation(EvaluateSeries& series, Index step, const std::vector<Score>& scores) {
  series.step.push_back(step);
  for (const Score& score : scores) {
    series.loss.push_back(score.loss());
    series.perplexity.push_back(std::exp(score.loss()));
    series.token_accuracy.push_back(score.accuracy());
    series.scored.push_back(score.scored);
    if (series.bits_per_byte) series.bits_per_byte->push_back(score.loss() / std::numbers::ln2);
  }
  const auto whole = std::find(series.protocol.begin(), series.protocol.end(), "nonoverlapping");
  if (whole == series.protocol.end()) return;
  const auto first = (whole - series.protocol.begin()) * static_cast<std::ptrdiff_t>(series.length.size());
  series.position = position_loss(series.length, scores.data() + first);
}

}  // namespace ropewalk
