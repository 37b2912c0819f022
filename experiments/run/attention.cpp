#include "experiments/run/attention.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "experiments/run/evaluation.hpp"

namespace ropewalk {
namespace {

constexpr Index looked_at = 8192;  // tokens: means of so many queries differ little from those of all

/// Sums over the windows of x, means by window [layers, windows, heads]: [layers, heads].
std::vector<double> over_windows(const Tensor& x) {
  const Index windows = x.dim(1), heads = x.dim(2);
  std::vector<double> sums(static_cast<std::size_t>(x.dim(0) * heads));
  const double* next = x.data<double>();
  for (Index row = 0; row < x.dim(0) * windows; ++row) {
    for (Index head = 0; head < heads; ++head) sums[static_cast<std::size_t>(row / windows * heads + head)] += *next++;
  }
  return sums;
}

/// Entropies, then distances.
std::vector<double> sums_of(const AttentionSpread& spread) {
  std::vector<double> sums = over_windows(spread.entropy);
  const std::vector<double> distance = over_windows(spread.distance);
  sums.insert(sums.end(), distance.begin(), distance.end());
  return sums;
}

std::vector<std::int64_t> counted(Index count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// Nothing measured yet.
AttentionMeans blank(const config::Settings& settings) {
  AttentionMeans means{counted(settings.model.layers), counted(settings.model.heads), settings.evaluate.lengths, {}, {}};
  means.entropy.assign(means.layer.size() * means.head.size() * means.length.size(), std::numeric_limits<double>::quiet_NaN());
  means.mean_distance = means.entropy;
  return means;
}

}  // namespace

std::vector<Window> attention_windows(const config::EvaluateSettings& settings, Index length, Index held_out) {
  std::vector<Window> windows = protocol_windows("nonoverlapping", length, protocol_settings(settings, held_out));
  const auto most = static_cast<std::size_t>(std::max<Index>(1, looked_at / length));
  windows.resize(std::min(windows.size(), most));
  return windows;
}

HeadMeans head_means(const nn::Transformer& model, const Dataset& dataset, const std::vector<Window>& windows, Index length,
                     const Random& random, Crew& crew, const std::shared_ptr<Meter>& meter, const BeginPiece& begin,
                     Ranks& ranks) {
  if (!model.reaches(length)) return {};
  const auto spread = [&](const Piece& piece) { return sums_of(model.mean_spread(piece.batch(dataset).tokens, &piece.draws)); };
  const auto by_piece = through_pieces(windows, length, random, spread, crew, meter, begin, ranks);
  if (by_piece.empty()) return {};
  std::vector<double> total(by_piece.front().size());
  for (const std::vector<double>& piece : by_piece) {
    std::transform(piece.begin(), piece.end(), total.begin(), total.begin(), std::plus());
  }
  for (double& sum : total) sum /= static_cast<double>(windows.size());
  const auto half = total.begin() + static_cast<std::ptrdiff_t>(total.size() / 2);
  return {{total.begin(), half}, {half, total.end()}};
}

std::optional<AttentionMeans> measure_attention(const nn::Transformer& model, const Dataset& dataset,
                                                const config::Settings& settings, const Random& random, Crew& crew,
                                                const std::shared_ptr<Meter>& meter, const EvaluationProgress& progress,
                                                Ranks& ranks) {
  const std::vector<std::int64_t>& lengths = settings.evaluate.lengths;
  std::vector<std::vector<Window>> windows;
  Index total = 0;
  for (const Index length : lengths) {
    windows.push_back(attention_windows(settings.evaluate, length, dataset.corpus.held_out()));
    total += length * static_cast<Index>(windows.back().size());
  }
  Watch watch(total, progress);
  const auto begin = [&](Index tokens) { return watch.begin(tokens); };
  AttentionMeans means = blank(settings);
  for (std::size_t e = 0; e < lengths.size(); ++e) {
    const HeadMeans found = head_means(model, dataset, windows[e], lengths[e], random, crew, meter, begin, ranks);
    if (watch.gave_up()) return {};
    for (std::size_t head = 0; head < found.entropy.size(); ++head) {
      means.entropy[head * lengths.size() + e] = found.entropy[head];
      means.mean_distance[head * lengths.size() + e] = found.distance[head];
    }
  }
  return means;
}

}  // namespace ropewalk
