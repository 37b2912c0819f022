// Optimizers: one pass over flat parameters.
#pragma once

#include <functional>
#include <vector>

#include "framework/core/registry.hpp"
#include "framework/core/tensor.hpp"

namespace ropewalk::optimize {

/// A stretch of the flat parameters, with or without weight decay.
struct Segment {
  Index begin = 0, end = 0;
  bool decays = false;
};

/// What an optimizer remembers beside the parameters, flat like them.
struct Moments {
  Tensor first, second;
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual void describe(Fields&) = 0;
  /// Peak learning rate.
  virtual double rate() const = 0;
  /// Updates parameters [P] and moments [P] in place with gradient [P] times `gradient_scale`; `step` counts from 1.
  virtual void update(const Tensor& parameters, const Tensor& gradient, const Moments&, const std::vector<Segment>&, double rate,
                      double gradient_scale, Index step) const = 0;
};

/// adamw
const Registry<Optimizer>& optimizers();

/// Cuts [0, size) into stretches of a fixed size and calls body(begin, end) for each, in `parallel`.
void for_each_stretch(Index size, const std::function<void(Index begin, Index end)>& body);

/// Euclidean norm of a flat gradient, summed in double in a fixed order: that of the stretches.
double global_norm(const Tensor& gradient);

/// Factor that brings a gradient of this norm down to `limit` (Pascanu et al. 2013); 1 if it is within, or if the limit is 0:
/// none.
double clip_factor(double norm, double limit);

}  // namespace ropewalk::optimize
