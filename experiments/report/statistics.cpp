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

/// Means of resamples of which `drawn` [resamples, values] are the indices.
std::vector<double> resampled_means(const std::vector<double>& values, const std::vector<std::uint32_t>& drawn) {
  std::vector<double> means(kDraws);
  auto index = drawn.begin();
  for (double& result : means) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[*index++];
    result = sum / static_cast<double>(values.size());
  }
  return means;
}

/// Linear between the two nearest ranks, as NumPy's default. Reorders the values: sorting them all would take far longer.
double percentile(std::vector<double>& values, double share) {
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), below, values.end());
  const double above = below + 1 == values.end() ? *below : *std::min_element(below + 1, values.end());
  return std::lerp(*below, above, rank - std::floor(rank));
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<Interval> Bootstrap::interval(const std::vector<double>& values) {
  if (values.size() < 2 || !all_finite(values)) return std::nullopt;
  if (values.size() < kFewestForBootstrap) return Interval{std::ranges::min(values), std::ranges::max(values)};
  draw(values.size());
  std::vector<double> means = resampled_means(values, drawn_);
  return Interval{percentile(means, (1 - kLevel) / 2), percentile(means, (1 + kLevel) / 2)};
}

void Bootstrap::draw(std::size_t count) {
  if (count == count_) return;
  Stream stream = Random(/*seed=*/0).stream("bootstrap");
  drawn_.resize(kDraws * count);
  for (std::uint32_t& index : drawn_) index = static_cast<std::uint32_t>(stream.below(count));
  count_ = count;
}

std::string name_of_intervals(const std::vector<std::size_t>& counts, const std::string& counted) {
  const auto any = [&](auto&& test) { return std::ranges::any_of(counts, test); };
  const bool has_few = any([](std::size_t count) { return count > 1 && count < kFewestForBootstrap; });
  const std::string range = "range over " + counted, bootstrap = fmt::format("{:.0f} % bootstrap interval", 100 * kLevel);
  if (!any([](std::size_t count) { return count >= kFewestForBootstrap; })) return has_few ? range : "";
  return has_few ? fmt::format("{}; of fewer than {}: {}", bootstrap, kFewestForBootstrap, range) : bootstrap;
}

}  // namespace ropewalk
