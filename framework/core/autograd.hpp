// Reverse-mode differentiation: ops record how a gradient flows back; `gradients` walks the record once.
#pragma once

#include <concepts>
#include <functional>

#include "framework/core/tensor.hpp"

namespace ropewalk {

struct Node;

/// Where a rule leaves the gradient of one input: row-major storage of the input's shape.
struct Destination {
  Tensor tensor;
  bool adds = false;  ///< true: add to what is there; false: overwrite, what is there is undefined
};

/// One step of the walk back: the gradient that arrives at an op, and where those of its inputs go.
class Flow {
 public:
  virtual ~Flow() = default;

  virtual const Tensor& y() const = 0;  ///< undefined unless the op was recorded with `keep_output`
  virtual const Tensor& dy() const = 0;
  virtual std::size_t inputs() const = 0;
  /// False for an input that no gradient flows through.
  virtual bool wanted(std::size_t input) const = 0;
  /// Hands over a gradient. An undefined one means zero; one of the broadcast shape of the output is reduced.
  virtual void give(std::size_t input, Tensor gradient) = 0;
  /// For a rule that adds its gradient to what other ops have already left, in one pass over memory. It has to be filled before
  /// the next call. Only for a `wanted` input.
  virtual Destination destination(std::size_t input) = 0;
};

using Rule = std::function<void(Flow&)>;

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

/// While it lives, this thread records again: for a rule that works out its gradient by differentiating something smaller.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  bool previous_;
};

/// True if an op on these inputs has to be recorded.
bool recording(const Tensors& inputs);

/// Gives `y` its place in the graph; `keep_output` if the rule reads it. The rule gets the output handed to it rather than
/// capturing it, since that would be a cycle that is never freed.
Tensor attach(const Tensor& y, const Tensors& inputs, Rule rule, bool keep_output);

/// Hands over one gradient for each input.
void give_all(Flow& flow, Tensors gradients);

/// The same if anything has to be recorded, with a rule in one of three forms: (dy) or (y, dy) -> the gradients of the inputs, in
/// their order; or (Flow&), which asks where to leave them.
template <class Function>
Tensor record(const Tensor& y, const Tensors& inputs, Function rule) {
  if (!recording(inputs)) return y;
  if constexpr (std::invocable<Function, Flow&>) {
    return attach(y, inputs, std::move(rule), false);
  } else if constexpr (std::invocable<Function, const Tensor&, const Tensor&>) {
    return attach(
        y, inputs, [rule = std::move(rule)](Flow& flow) { give_all(flow, rule(flow.y(), flow.dy())); }, true);
  } else {
    return attach(
        y, inputs, [rule = std::move(rule)](Flow& flow) { give_all(flow, rule(flow.dy())); }, false);
  }
}

/// Gradients of a scalar with respect to `parameters` (leaves), zeros where it does not depend on one. What the forward pass
/// saved is freed on the way, so a graph can be walked once.
Tensors gradients(const Tensor& loss, const Tensors& parameters);

/// Gradients of several scalars, added up in the order in which they come, in storage of the caller's.
class GradientSum {
 public:
  /// sums[i]: row-major, of the shape and type of leaf i; what is there is overwritten.
  GradientSum(Tensors leaves, Tensors sums);

  /// Adds the gradients of a scalar; its graph is freed on the way.
  void add(const Tensor& loss);
  /// Writes zeros for every leaf that no scalar depended on.
  void finish();

 private:
  Tensors leaves_, sums_;
  std::vector<bool> holds_;  ///< which sums have been written to
};

/// `x` summed over the axes that broadcasting from `shape` repeated.
Tensor reduce_to(const Tensor& x, const Shape& shape);

}  // namespace ropewalk
