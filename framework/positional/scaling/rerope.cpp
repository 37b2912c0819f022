#include "framework/positional/scaling/rerope.hpp"

#include "framework/positional/scaling/two_ranges.hpp"

namespace ropewalk::positional {
namespace {

Positions all_at(const Positions& like, double position) {
  return {std::vector<double>(like.values().size(), position), like.sequences()};
}

}  // namespace

void ReRope::describe(Fields& fields) {
  fields.add("window", window_, "the largest relative position, tokens").at_least(0).limit_to(1 << 30);
}

std::vector<Complaint> ReRope::complaints(const Turning&, bool causal) const {
  if (causal) return {};
  return {{"kind", "is defined for keys to the left of a query alone; use model.kind decoder, or another scaling"}};
}

void ReRope::apply(AttentionTerms& terms, const Places& places, const Turning& turning, bool interleaved, Type type) const {
  const Index length = places.keys.length();
  const double window = static_cast<double>(window_);
  const auto turned = [&](const Positions& positions) { return tables(positions, length, turning, interleaved, type); };
  terms.product = product_in_two_ranges(places, window, {turned(places.queries), turned(places.keys)},
                                        {turned(all_at(places.queries, window)), turned(all_at(places.keys, 0))});
}

}  // namespace ropewalk::positional
