// Reverse-mode differentiation: ops record how a gradient flows back; `gradients` walks the record once.
#pragma once

#include <concepts>
#include <functional>

#include "framework/core/tensor.hpp"

namespace ropewalk {

/// Gradients of an op's inputs, in their order, from its output and the output's gradient. An undefined tensor means zero. A
/// gradient may have the broadcast shape of the output: the walk reduces it.
using Rule = std::function<Tensors(const Tensor& y, const Tensor& dy)>;

/// A place in the graph. It never holds its own output's place: that would be a cycle.
struct Node {
  ~Node();

  std::vector<std::shared_ptr<Node>> inputs;  ///< null for an input that is not tracked
  std::vector<Shape> input_shapes;
  Rule rule;      ///< empty for a leaf, and once the walk has used it
  Tensor output;  ///< detached; only if the rule reads it
  std::uint64_t order = 0;
  bool leaf = false;
};

/// A leaf: a tensor whose gradient can be asked for.
Tensor parameter(const Tensor& value);

/// While it lives, this thread records nothing.
class NoGradient {
 public:
  NoGradient();
  ~NoGradient();
  NoGradient(const NoGradient&) = delete;
  NoGradient& operator=(const NoGradient&) = delete;

 private:
  bool previous_;
};

/// True if an op on these inputs has to be recorded.
bool recording(const Tensors& inputs);

/// Implementation of `record`; `keep_output` if the rule reads y.
Tensor attach(const Tensor& y, const Tensors& inputs, Rule rule, bool keep_output);

/// Gives `y` its place in the graph. The rule is called with (y, dy), or with (dy) alone if it does not read y, which then need
/// not be kept. It gets the output handed to it rather than capturing it, since that would be a cycle that is never freed.
template <class Function>
Tensor record(const Tensor& y, const Tensors& inputs, Function rule) {
  if (!recording(inputs)) return y;
  if constexpr (std::invocable<Function, const Tensor&, const Tensor&>) {
    return attach(y, inputs, std::move(rule), true);
  } else {
    return attach(
        y, inputs, [rule = std::move(rule)](const Tensor&, const Tensor& dy) { return rule(dy); }, false);
  }
}

/// Gradients of a scalar with respect to `parameters` (leaves), zeros where it does not depend on one. What the forward pass
/// saved is freed on the way, so a graph can be walked once.
Tensors gradients(const Tensor& loss, const Tensors& parameters);

/// `x` summed over the axes that broadcasting from `shape` repeated.
Tensor reduce_to(const Tensor& x, const Shape& shape);

}  // namespace ropewalk
