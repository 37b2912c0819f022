#include "framework/positional/rope.hpp"

#include <cmath>

namespace ropewalk::positional {

void Rope::describe(Fields& fields) {
  describe_base(fields);
  describe_layout(fields);
  fields.add("fraction", fraction_, "part of each head that rotates, from its first element on").above(0).at_most(1);
  describe_scaling(fields);
}

std::vector<Complaint> Rope::complaints(const Context& context, const std::vector<Index>&) const {
  const double exact = fraction_ * static_cast<double>(context.head_width());
  const Turning turning = *this->turning(context);
  const bool pairs = turning.width > 0 && turning.width % 2 == 0 && std::abs(exact - static_cast<double>(turning.width)) < 1e-6;
  if (pairs) return scaling_complaints(turning, context.causal, true);
  return {{"fraction", fmt::format("rotation works on pairs: expected fraction times the head width {} to be an even number of "
                                   "elements, got {}",
                                   context.head_width(), exact)}};
}

std::optional<Turning> Rope::turning(const Context& context) const {
  return Turning{base_, std::llround(fraction_ * static_cast<double>(context.head_width())), context.length};
}

Effect Rope::effect(const Places& places, Type type) const {
  AttentionTerms rotation;
  scaling_->apply(rotation, places, turning_, interleaved(), type);
  return [rotation](AttentionTerms& terms, const Tensor&) {
    terms.query_rotation = rotation.query_rotation;
    terms.key_rotation = rotation.key_rotation;
    terms.query_factor = rotation.query_factor;
    terms.product = rotation.product;
  };
}

}  // namespace ropewalk::positional
