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
  fields.add("scale_base", scale_base_, "tokens over which pair j decays by its zeta").at_least(1).limit_to(1e9);
  describe_layout(fields);
  describe_scaling(fields);
}

std::vector<Complaint> Xpos::complaints(const Context& context, const std::vector<Index>&) const {
  if (context.head_width() % 2 == 0) {
    std::vector<Complaint> found = scaling_complaints(*turning(context), context.causal, false);
    const double exponent = static_cast<double>(context.trained_reach()) / scale_base_ * std::log((1 + gamma_) / gamma_);
    constexpr double most = 80;  // exp of more is beyond f32, and a training pass takes a sequence at once
    if (exponent > most) {
      found.push_back(
          {"scale_base", fmt::format("the factors of positions up to {} would reach e^{:.0f}: expected at least {:.0f}, got {}",
                                     context.trained_reach(), exponent, std::ceil(scale_base_ * exponent / most), scale_base_)});
    }
    return found;
  }
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
