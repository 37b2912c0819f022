#include "framework/positional/scaling/log_scale.hpp"

#include <algorithm>
#include <cmath>

namespace ropewalk::positional {

std::vector<Complaint> LogScale::complaints(const Turning& turning, bool) const {
  if (original(turning) > 1) return {};
  return {{"kind",
           fmt::format("divides by the logarithm of the trained length: expected more than 1 token, got {}", original(turning))}};
}

Tensor LogScale::query_factor(const Positions& positions, const Turning& turning, Type type) const {
  const double trained = std::log(static_cast<double>(original(turning)));
  std::vector<double> factor;
  for (double position : positions.values()) factor.push_back(position > 1 ? std::max(1.0, std::log(position) / trained) : 1.0);
  Shape shape{positions.length(), 1};
  if (positions.sequences() > 1) shape.insert(shape.begin(), positions.sequences());
  return Tensor::of(factor, shape, type);
}

}  // namespace ropewalk::positional
