#include "framework/positional/positions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "framework/core/error.hpp"

namespace ropewalk::positional {
namespace {

/// Distance of the first two positions; 1 if there are no two.
double first_step(const Positions& positions) { return positions.length() > 1 ? positions.at(0, 1) - positions.at(0, 0) : 1.0; }

/// Whether neighbours are `step` apart everywhere.
bool evenly_spaced(const Positions& positions, double step) {
  for (Index s = 0; s < positions.sequences(); ++s) {
    for (Index i = 1; i < positions.length(); ++i) {
      if (std::abs(positions.at(s, i) - positions.at(s, i - 1) - step) > 1e-9 * std::abs(step)) return false;
    }
  }
  return true;
}

}  // namespace

Positions::Positions(std::vector<double> values, Index sequences) : values_(std::move(values)), sequences_(sequences) {
  check(sequences > 0 && static_cast<Index>(values_.size()) % sequences == 0, "positions: {} do not make {} rows of one length",
        values_.size(), sequences);
}

Positions Positions::part(Index begin, Index end) const {
  std::vector<double> values;
  for (Index s = 0; s < sequences_; ++s) {
    for (Index i = begin; i < end; ++i) values.push_back(at(s, i));
  }
  return {std::move(values), sequences_};
}

Positions Positions::nearest() const {
  std::vector<double> values = values_;
  for (double& position : values) position = std::floor(position + 0.5);
  return {std::move(values), sequences_};
}

Tensor Positions::rounded() const {
  const std::vector<double> whole = nearest().values();
  return Tensor::of(std::vector<std::int32_t>(whole.begin(), whole.end()), {sequences_, length()});
}

bool Positions::whole() const {
  return std::all_of(values_.begin(), values_.end(), [](double position) { return position == std::floor(position); });
}

Positions contiguous(Index length, double first) {
  std::vector<double> positions(static_cast<std::size_t>(length));
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

bool Places::even() const {
  const double step = first_step(keys.length() > 1 ? keys : queries);
  if (!evenly_spaced(queries, step) || !evenly_spaced(keys, step)) return false;
  if (queries.length() == 0 || keys.length() == 0) return true;
  const auto lead = [&](Index s) { return queries.at(s % queries.sequences(), 0) - keys.at(s % keys.sequences(), 0); };
  for (Index s = 1; s < std::max(queries.sequences(), keys.sequences()); ++s) {
    if (std::abs(lead(s) - lead(0)) > 1e-9 * std::abs(step)) return false;
  }
  return true;
}

std::pair<double, double> Places::span() const {
  if (queries.length() == 0 || keys.length() == 0) return {0, 0};
  const auto row = [](const Positions& positions, Index s) {
    const auto begin = positions.values().begin() + s % positions.sequences() * positions.length();
    return std::minmax_element(begin, begin + positions.length());
  };
  double nearest = std::numeric_limits<double>::infinity(), furthest = -nearest;
  for (Index s = 0; s < std::max(queries.sequences(), keys.sequences()); ++s) {
    const auto [first_query, last_query] = row(queries, s);
    const auto [first_key, last_key] = row(keys, s);
    nearest = std::min(nearest, *first_query - *last_key);
    furthest = std::max(furthest, *last_query - *first_key);
  }
  return {nearest, furthest};
}

}  // namespace ropewalk::positional
