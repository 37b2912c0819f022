// A scheme that is not in the registry: the example of framework/positional/README.md, which shows this file.
#pragma once

#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/positional/alibi.hpp"
#include "framework/positional/distance.hpp"

namespace ropewalk::positional {

/// A penalty that is flat nearby and linear far away: −slope_h·(√(s² + Δ²) − s) is added to the scores of head h, Δ = |m − n|.
/// slope_h is ALiBi's (Press, Smith, Lewis 2021, §3) times e^w_h, so that it stays positive; w is learned. With w = 0 it goes to
/// ALiBi as s goes to 0.
class Hyperbola final : public LayeredScheme<Hyperbola> {
 public:
  void describe(Fields& fields) override {
    fields.add("scale", scale_, "s, the distance around which the penalty turns from flat to linear, tokens")
        .above(0)
        .limit_to(1e6);
    LayeredScheme::describe(fields);
  }

  void prepare(const Context& context, const Random& random, Type type) override {
    slopes_ = Tensor::of(alibi_slopes(context.heads), {context.heads}, type);
    w_ = small_normal({context.heads}, random, "w", type);
  }
  Parameters parameters() override { return {{"w", &w_, false}}; }

  Effect effect(const Places& places, Type type) const override {
    const auto bias = bias_of_distance(places, {w_}, [*this, type](const Tensors& inputs, const std::vector<double>& distances) {
      std::vector<double> curve;
      for (double distance : distances) curve.push_back(scale_ - std::hypot(scale_, distance));
      const Tensor slopes = reshape(multiply(slopes_, exp(inputs[0])), {-1, 1});  // inputs[0] stands for w
      return multiply(slopes, Tensor::of(curve, {1, static_cast<Index>(curve.size())}, type));
    });
    return [bias](AttentionTerms& terms, const Tensor&) { terms.biases.push_back(bias); };
  }

 private:
  double scale_ = 4;
  Tensor slopes_, w_;  ///< [H]
};

/// Its line in the registry.
inline Kind<Scheme> hyperbola() {
  return {"hyperbola", "a learned penalty on scores, flat nearby and linear far away",
          "-slope_h (sqrt(s^2 + d^2) - s), slope_h = 2^(-8h/H) e^w_h, d = |m - n|", "", make_kind<Scheme, Hyperbola>};
}

}  // namespace ropewalk::positional
