#include "framework/core/autograd.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

namespace ropewalk {
namespace {

thread_local bool recording_enabled = true;
thread_local std::uint64_t next_order = 0;

/// y += x, elements of y that several of x fall on included; a row of x that falls on one element is summed in double first.
void accumulate(const Tensor& x, const Tensor& y) {
  dispatch(y.type(), [&]<class T>(T) {
    const T* from = x.data<T>();
    T* to = y.data<T>();
    for_each_row<2>(y.shape(), {broadcast_strides(x.shape(), x.strides(), y.shape()), y.strides()},
                    [&](auto offsets, auto steps, Index count) {
                      const T* source = from + offsets[0];
                      T* target = to + offsets[1];
                      if (steps[1] == 0) {
                        double sum = 0;
                        for (Index i = 0; i < count; ++i) sum += static_cast<double>(source[i * steps[0]]);
                        *target = static_cast<T>(*target + sum);
                      } else if (steps[0] == 1 && steps[1] == 1) {
                        for (Index i = 0; i < count; ++i) target[i] += source[i];
                      } else {
                        for (Index i = 0; i < count; ++i) target[i * steps[1]] += source[i * steps[0]];
                      }
                    });
  });
}

/// y = x, which broadcasts to it; y is row-major and ours alone.
void copy_to(const Tensor& x, const Tensor& y) {
  dispatch(y.type(), [&]<class T>(T) {
    const T* from = x.data<T>();
    T* to = y.data<T>();
    for_each_row<2>(y.shape(), {broadcast_strides(x.shape(), x.strides(), y.shape()), y.strides()},
                    [&](auto offsets, auto steps, Index count) {
                      for (Index i = 0; i < count; ++i) to[offsets[1] + i * steps[1]] = from[offsets[0] + i * steps[0]];
                    });
  });
}

/// The sum of gradients that have arrived at a place so far.
struct Sum {
  Tensor tensor;
  bool holds = false;     ///< something has arrived
  bool borrowed = false;  ///< the storage is the caller's: it is written to rather than replaced
};

/// Makes the storage of a sum row-major and ours alone.
void own(Sum& sum) {
  if (!sum.borrowed && (!sum.tensor.unique() || !sum.tensor.contiguous())) sum.tensor = copy(sum.tensor);
}

void add_to(Sum& sum, Tensor gradient) {
  if (sum.holds) {
    own(sum);
    accumulate(gradient, sum.tensor);
  } else if (sum.borrowed) {
    copy_to(gradient, sum.tensor);
  } else {
    sum.tensor = std::move(gradient);
  }
  sum.holds = true;
}

/// Gradients on their way back, and the order in which places are visited: latest first, so a place has all of its gradient.
class Walk {
 public:
  Sum& at(const Node* node) { return sums_[node]; }

  void start(const Tensor& loss) {
    check(loss.size() == 1, "gradients: expected a scalar, got shape {}", loss.shape());
    check(loss.tracked(), "gradients: the loss depends on no parameter");
    add_to(reach(loss.node()), Tensor::full(loss.shape(), 1.0, loss.type()));
    while (!queue_.empty()) {
      const std::shared_ptr<Node> node = queue_.top();
      queue_.pop();
      visit(*node);
    }
  }

 private:
  class Step;

  struct Earlier {
    bool operator()(const std::shared_ptr<Node>& a, const std::shared_ptr<Node>& b) const { return a->order < b->order; }
  };

  /// The sum at a place, which is visited later.
  Sum& reach(const std::shared_ptr<Node>& node) {
    Sum& sum = sums_[node.get()];
    if (!sum.holds && !node->leaf) queue_.push(node);
    return sum;
  }

  void visit(Node& node);

  std::unordered_map<const Node*, Sum> sums_;
  std::priority_queue<std::shared_ptr<Node>, std::vector<std::shared_ptr<Node>>, Earlier> queue_;
};

class Walk::Step final : public Flow {
 public:
  Step(Walk& walk, Node& node)
      : walk_(walk), node_(node), y_(std::exchange(node.output, {})), dy_(walk.sums_.extract(&node).mapped().tensor) {}

  const Tensor& y() const override { return y_; }
  const Tensor& dy() const override { return dy_; }
  std::size_t inputs() const override { return node_.inputs.size(); }
  bool wanted(std::size_t input) const override { return node_.inputs[input] != nullptr; }

  void give(std::size_t input, Tensor gradient) override {
    if (!wanted(input) || !gradient.defined()) return;
    add_to(walk_.reach(node_.inputs[input]), reduce_to(std::move(gradient), node_.input_shapes[input]));
  }

  Destination destination(std::size_t input) override {
    Sum& sum = walk_.reach(node_.inputs[input]);
    if (sum.holds) {
      own(sum);
    } else if (!sum.borrowed) {
      sum.tensor = Tensor::empty(node_.input_shapes[input], dy_.type());
    }
    return {sum.tensor, std::exchange(sum.holds, true)};
  }

 private:
  Walk& walk_;
  Node& node_;
  Tensor y_, dy_;
};

void Walk::visit(Node& node) {
  check(static_cast<bool>(node.rule), "gradients: this part of the graph was walked before, and its saved values are freed");
  const Rule rule = std::exchange(node.rule, {});
  Step step(*this, node);
  rule(step);
}

void check_leaves(const Tensors& leaves) {
  for (const Tensor& leaf : leaves) {
    check(leaf.tracked() && leaf.node()->leaf, "gradients: expected parameters, got a tensor that is not a leaf");
  }
}

}  // namespace

// A chain of a million ops must not be released by a million nested calls: the inputs wait in a list of this thread's.
Node::~Node() {
  thread_local std::vector<std::shared_ptr<Node>> waiting;
  thread_local bool draining = false;
  for (std::shared_ptr<Node>& input : inputs) waiting.push_back(std::move(input));
  rule = {};
  if (draining) return;
  draining = true;
  while (!waiting.empty()) {
    std::shared_ptr<Node> last = std::move(waiting.back());
    waiting.pop_back();
  }
  draining = false;
}

Tensor parameter(const Tensor& value) {
  auto node = std::make_shared<Node>();
  node->leaf = true;
  return value.detach().with_node(std::move(node));
}

NoGradient::NoGradient() : previous_(std::exchange(recording_enabled, false)) {}
NoGradient::~NoGradient() { recording_enabled = previous_; }

Recording::Recording() : previous_(std::exchange(recording_enabled, true)) {}
Recording::~Recording() { recording_enabled = previous_; }

bool recording(const Tensors& inputs) {
  return recording_enabled && std::any_of(inputs.begin(), inputs.end(), [](const Tensor& input) { return input.tracked(); });
}

Tensor attach(const Tensor& y, const Tensors& inputs, Rule rule, bool keep_output) {
  auto node = std::make_shared<Node>();
  node->order = ++next_order;
  for (const Tensor& input : inputs) {
    node->inputs.push_back(input.node());
    node->input_shapes.push_back(input.shape());
  }
  node->rule = std::move(rule);
  if (keep_output) node->output = y.detach();
  return y.with_node(std::move(node));
}

void give_all(Flow& flow, Tensors gradients) {
  check(gradients.size() == flow.inputs(), "gradients: a rule gave {} gradients for {} inputs", gradients.size(), flow.inputs());
  for (std::size_t i = 0; i < gradients.size(); ++i) flow.give(i, std::exchange(gradients[i], {}));
}

Tensors gradients(const Tensor& loss, const Tensors& parameters) {
  check_leaves(parameters);
  const NoGradient scope;
  Walk walk;
  walk.start(loss);
  Tensors result;
  for (const Tensor& parameter : parameters) {
    const Sum& sum = walk.at(parameter.node().get());
    result.push_back(sum.holds ? sum.tensor : Tensor::zeros(parameter.shape(), parameter.type()));
  }
  return result;
}

GradientSum::GradientSum(Tensors leaves, Tensors sums)
    : leaves_(std::move(leaves)), sums_(std::move(sums)), holds_(leaves_.size(), false) {
  check_leaves(leaves_);
}

void GradientSum::add(const Tensor& loss) {
  const NoGradient scope;
  Walk walk;
  for (std::size_t i = 0; i < leaves_.size(); ++i) walk.at(leaves_[i].node().get()) = {sums_[i], holds_[i], true};
  walk.start(loss);
  for (std::size_t i = 0; i < leaves_.size(); ++i) holds_[i] = walk.at(leaves_[i].node().get()).holds;
}

void GradientSum::finish() {
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (!holds_[i]) copy_to(Tensor::zeros({}, sums_[i].type()), sums_[i]);
    holds_[i] = true;
  }
}

Tensor reduce_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  Tensor sum = Tensor::zeros(shape, x.type());
  const Tensor spread = sum.view(x.shape(), broadcast_strides(shape, sum.strides(), x.shape()), 0);
  accumulate(x, spread);
  return sum;
}

}  // namespace ropewalk
