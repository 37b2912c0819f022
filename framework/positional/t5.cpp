#include "framework/positional/t5.hpp"

#include <algorithm>
#include <cmath>

#include "framework/ops/select.hpp"
#include "framework/positional/distance.hpp"

namespace ropewalk::positional {
namespace {

// Logarithms leave a distance just below the boundary it is meant to lie on.
constexpr double rounding = 1e-9;

}  // namespace

void T5::describe(Fields& fields) {
  fields.add("buckets", buckets_, "buckets of distances").at_least(2).limit_to(1 << 20);
  fields.add("max_distance", max_distance_, "distances from here on share the last bucket, tokens").at_least(1).limit_to(1 << 30);
  LayeredScheme::describe(fields);
}

std::vector<Complaint> T5::complaints(const Context& context, const std::vector<Index>&) const {
  const Index step = context.causal ? 2 : 4;
  std::vector<Complaint> found;
  if (buckets_ % step != 0) found.push_back({"buckets", fmt::format("expected a multiple of {}, got {}", step, buckets_)});
  if (max_distance_ <= buckets_ / step) {
    found.push_back({"max_distance", fmt::format("expected more than the {} distances that have buckets of their own, got {}",
                                                 buckets_ / step, max_distance_)});
  }
  return found;
}

void T5::prepare(const Context& context, const Random& random, Type type) {
  causal_ = context.causal;
  table_ = small_normal({context.heads, buckets_}, random, "table", type);
}

/// A table of whole distances: positions are taken to the nearest whole number.
Effect T5::effect(const Places& places, Type) const {
  const auto bias =
      bias_of_distance(places.nearest(), {table_}, [*this](const Tensors& table, const std::vector<double>& distances) {
        std::vector<std::int32_t> bucket;
        for (double distance : distances) {
          bucket.push_back(static_cast<std::int32_t>(t5_bucket(distance, buckets_, max_distance_, causal_)));
        }
        return gather(table[0], 1, Tensor::of(bucket, {static_cast<Index>(bucket.size())}));
      });
  return [bias](AttentionTerms& terms, const Tensor&) { terms.biases.push_back(bias); };
}

Index t5_bucket(double distance, Index buckets, Index max_distance, bool causal) {
  Index first = 0;
  if (!causal) {
    buckets /= 2;
    if (distance < 0) first = buckets;
    distance = std::abs(distance);
  }
  distance = std::max(distance, 0.0) + rounding;
  const double exact = static_cast<double>(buckets / 2);
  if (distance < exact) return first + static_cast<Index>(distance);
  const double share = std::log(distance / exact) / std::log(static_cast<double>(max_distance) / exact);
  return first + std::min(buckets - 1, buckets / 2 + static_cast<Index>(share * (static_cast<double>(buckets) - exact)));
}

}  // namespace ropewalk::positional
