#include "framework/positional/xpos.hpp"

#include <cmath>

namespace ropewalk::positional {
namespace {

Tensor as_tensor(const Positions& positions) {
  Shape shape{positions.length()};
  if (positions.sequences() > 1) shape.insert(shape.begin(), positions.sequences());
  return Tensor::of(positions.values(), shape, Type::f64);
}

}  // namespace

void Xpos::describe(Fields& fields) {
  describe_base(fields);
  fields.add("gamma", gamma_, "the larger, the less the fast pairs decay").above(0).limit_to(1e6);
  fields.add("scale_base", scale_base_, "tokens over which pair j decays by its zeta").above(0).limit_to(1e9);
  describe_layout(fields);
  describe_scaling(fields);
}

std::vector<Complaint> Xpos::complaints(const Context& context, const std::vector<Index>&) const {
  if (context.head_width() % 2 == 0) return scaling_complaints(*turning(context), context.causal, false);
  return {{"", fmt::format("rotation works on pairs: expected an even head width, got {}", context.head_width())}};
}

std::optional<Turning> Xpos::turning(const Context& context) const {
  return Turning{base_, context.head_width(), context.length};
}

Effect Xpos::effect(const Places& places, Type type) const {
  AttentionTerms rotation;
  scaling_->apply(rotation, places, turning_, interleaved(), type);
  std::vector<double> rate;
  for (Index j = 0; j < turning_.pairs(); ++j) {
    const double share = 2 * static_cast<double>(j) / static_cast<double>(turning_.width);
    rate.push_back(std::log((share + gamma_) / (1 + gamma_)) / scale_base_);
  }
  rotation.growth = {Tensor::of(rate, {turning_.pairs()}, Type::f64), as_tensor(places.queries), as_tensor(places.keys)};
  return [rotation](AttentionTerms& terms, const Tensor&) {
    terms.query_rotation = rotation.query_rotation;
    terms.key_rotation = rotation.key_rotation;
    terms.query_factor = rotation.query_factor;
    terms.growth = rotation.growth;
  };
}

}  // namespace ropewalk::positional
