#include "experiments/report/statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/core/random.hpp"

namespace ropewalk {
namespace {

constexpr int kDraws = 10'000;
constexpr double kLevel = 0.95;
constexpr std::size_t kFewestForBootstrap = 4;  // of 3, every resample of one value is likelier than a tail: their range

std::vector<double> resampled_means(const std::vector<double>& values) {
  Stream stream = Random(/*seed=*/0).stream("bootstrap");
  std::vector<double> means(kDraws);
  for (double& result : means) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[stream.below(values.size())];
    result = sum / static_cast<double>(values.size());
  }
  return means;
}

/// Linear between the two nearest ranks, as NumPy's default.
double percentile(const std::vector<double>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], rank - std::floor(rank));
}

}  // namespace

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<Interval> bootstrap_interval(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) return std::nullopt;
  std::vector<double> means = resampled_means(values);
  std::ranges::sort(means);
  return Interval{percentile(means, (1 - kLevel) / 2), percentile(means, (1 + kLevel) / 2)};
}

std::string name_of_interval(std::size_t most_seeds) {
  return most_seeds < kFewestForBootstrap ? "range over seeds" : fmt::format("{:.0f} % bootstrap interval", 100 * kLevel);
}

}  // namespace ropewalk
