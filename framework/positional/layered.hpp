// Schemes whose parameters act in attention: shared by all layers, or one set for each.
#pragma once

#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// Adds the setting `per_layer`, which says so.
template <class Derived>
class LayeredScheme : public CloneableScheme<Derived> {
 public:
  void describe(Fields& fields) override {
    fields.add("per_layer", per_layer_, "parameters for each layer instead of one set for all");
  }
  bool per_layer() const override { return per_layer_; }

 private:
  bool per_layer_ = false;
};

/// Where parameters called `symbol` start from: N(0, 0.02²), as the model's weights do (GPT-2).
inline Tensor small_normal(const Shape& shape, const Random& random, const std::string& symbol, Type type) {
  return normal(shape, 0.02, random.stream("initialize position." + symbol), type);
}

}  // namespace ropewalk::positional
