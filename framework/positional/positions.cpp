#include "framework/positional/positions.hpp"

#include <cmath>
#include <numeric>

#include "framework/core/error.hpp"

namespace ropewalk::positional {

Positions contiguous(Index length, double first) {
  Positions positions(static_cast<std::size_t>(length));
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

std::vector<double> distances(const Positions& positions) {
  const std::size_t length = positions.size();
  if (length == 0) return {};
  const double step = length > 1 ? positions[1] - positions[0] : 1.0;
  for (std::size_t i = 1; i < length; ++i) {
    check(std::abs(positions[i] - positions[i - 1] - step) <= 1e-9 * std::abs(step),
          "distances: positions {} and {} at index {} are not {} apart as the first two are", positions[i - 1], positions[i], i,
          step);
  }
  std::vector<double> result(2 * length - 1);
  for (std::size_t r = 0; r < result.size(); ++r) {
    result[r] = step * (static_cast<double>(r) - static_cast<double>(length - 1));
  }
  return result;
}

}  // namespace ropewalk::positional
