#include "experiments/report/extrapolation.hpp"

#include <cmath>
#include <iterator>

namespace ropewalk {
namespace {

constexpr double kEffective = 1.02;  // of the loss
constexpr double kPassed = 1.01;     // of perplexity

std::optional<double> finite_value_at(const Curve& curve, std::int64_t length) {
  const auto found = curve.find(length);
  if (found == curve.end() || !std::isfinite(found->second)) return std::nullopt;
  return found->second;
}

/// The length between two evaluated ones at which the loss passes `bound`.
double crossing(const Curve::value_type& below, const Curve::value_type& above, double bound) {
  const double share = std::isinf(above.second) ? 0.0 : (bound - below.second) / (above.second - below.second);
  return std::exp(std::lerp(std::log(static_cast<double>(below.first)), std::log(static_cast<double>(above.first)), share));
}

}  // namespace

std::optional<Measured> effective_length(const Curve& loss, std::int64_t trained) {
  const auto there = finite_value_at(loss, trained);
  if (!there) return std::nullopt;
  std::int64_t longest = trained;
  for (auto place = loss.find(trained); place != loss.end(); ++place) {
    if (place->second <= kEffective * *there) longest = place->first;
  }
  return Measured{static_cast<double>(longest), longest == loss.rbegin()->first};
}

std::optional<Measured> tokens_gained(const Curve& loss, std::int64_t trained) {
  const auto there = finite_value_at(loss, trained);
  if (!there) return std::nullopt;
  const double bound = *there + std::log(kPassed), start = static_cast<double>(trained);
  auto below = loss.find(trained);
  for (auto above = std::next(below); above != loss.end() && !std::isnan(above->second); below = above++) {
    if (above->second > bound) return Measured{crossing(*below, *above, bound) - start, false};
  }
  return Measured{static_cast<double>(below->first) - start, true};
}

std::optional<Measured> area(const Curve& curve, std::int64_t trained) {
  if (!finite_value_at(curve, trained)) return std::nullopt;
  double sum = 0, width = 0;
  for (auto left = curve.find(trained), right = std::next(left); right != curve.end(); left = right++) {
    const double step = std::log2(static_cast<double>(right->first) / static_cast<double>(left->first));
    sum += step * (left->second + right->second) / 2;
    width += step;
  }
  if (width == 0 || std::isnan(sum)) return std::nullopt;
  return Measured{sum / width};
}

std::optional<Measured> steepest_rise(const Curve& loss, std::int64_t trained) {
  std::optional<Measured> steepest;
  auto left = loss.find(trained);
  if (left == loss.end()) return std::nullopt;
  for (auto right = std::next(left); right != loss.end(); left = right++) {
    const double doublings = std::log2(static_cast<double>(right->first) / static_cast<double>(left->first));
    const double rise = (right->second - left->second) / doublings;
    if (!std::isfinite(rise)) return std::nullopt;
    if (!steepest || rise > steepest->value) steepest = Measured{rise};
  }
  return steepest;
}

}  // namespace ropewalk
