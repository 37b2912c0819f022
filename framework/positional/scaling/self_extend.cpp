#include "framework/positional/scaling/self_extend.hpp"

#include <cmath>

#include "framework/positional/scaling/two_ranges.hpp"

namespace ropewalk::positional {
namespace {

Positions grouped(const Positions& positions, double group, double shift) {
  std::vector<double> values = positions.values();
  for (double& position : values) position = std::floor(position / group) + shift;
  return {std::move(values), positions.sequences()};
}

}  // namespace

void SelfExtend::describe(Fields& fields) {
  fields.add("window", window_, "distances up to this are ordinary, tokens").at_least(0).limit_to(1 << 30);
  fields.add("group", group_, "how many tokens beyond it share a position").at_least(1).limit_to(1 << 20);
}

std::vector<Complaint> SelfExtend::complaints(const Turning&, bool causal) const {
  if (causal) return {};
  return {{"kind", "is defined for keys to the left of a query alone; use model.kind decoder, or another scaling"}};
}

void SelfExtend::apply(AttentionTerms& terms, const Places& places, const Turning& turning, bool interleaved, Type type) const {
  const Index length = places.keys.length();
  const double group = static_cast<double>(group_), shift = static_cast<double>(window_ - window_ / group_);
  const auto turned = [&](const Positions& positions) { return tables(positions, length, turning, interleaved, type); };
  terms.product = product_in_two_ranges(places, static_cast<double>(window_), {turned(places.queries), turned(places.keys)},
                                        {turned(grouped(places.queries, group, shift)), turned(grouped(places.keys, group, 0))});
}

}  // namespace ropewalk::positional
