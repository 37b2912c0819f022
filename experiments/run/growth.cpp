#include "experiments/run/growth.hpp"

#include <algorithm>
#include <iterator>

namespace ropewalk {

double Growth::at(Index length) const {
  const auto tokens = static_cast<double>(length);
  if (per_token_.empty()) return 0;
  if (per_token_.size() == 1 || length <= per_token_.begin()->first) return tokens * per_token_.begin()->second;
  auto above = per_token_.lower_bound(length);
  const bool beyond = above == per_token_.end();
  if (beyond) --above;
  const auto below = std::prev(above);
  const double slope = (above->second - below->second) / static_cast<double>(above->first - below->first);
  return tokens * (above->second + (beyond ? std::max(0.0, slope) : slope) * static_cast<double>(length - above->first));
}

}  // namespace ropewalk
