#include "framework/core/autograd.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

namespace ropewalk {
namespace {

thread_local bool recording_enabled = true;
thread_local std::uint64_t next_order = 0;

/// y += x, both of one shape; y is row-major and ours alone.
void accumulate(const Tensor& x, const Tensor& y) {
  dispatch(y.type(), [&]<class T>(T) {
    const T* from = x.data<T>();
    T* to = y.data<T>();
    for_each_row<2>(y.shape(), {x.strides(), y.strides()}, [&](auto offsets, auto steps, Index count) {
      const T* source = from + offsets[0];
      T* target = to + offsets[1];
      if (steps[0] == 1 && steps[1] == 1) {
        for (Index i = 0; i < count; ++i) target[i] += source[i];
      } else {
        for (Index i = 0; i < count; ++i) target[i * steps[1]] += source[i * steps[0]];
      }
    });
  });
}

/// The sum of two gradients, in the storage of the first if nobody else holds it.
Tensor plus(Tensor sum, const Tensor& term) {
  if (!sum.unique() || !sum.contiguous()) sum = copy(sum);
  accumulate(term, sum);
  return sum;
}

/// Gradients on their way back, and the order in which places are visited: latest first, so a place has all of its gradient.
class Walk {
 public:
  void add(const std::shared_ptr<Node>& node, Tensor gradient) {
    auto [place, is_new] = gradients_.try_emplace(node.get());
    if (is_new && !node->leaf) queue_.push(node);
    place->second = place->second.defined() ? plus(std::move(place->second), gradient) : std::move(gradient);
  }

  void run() {
    while (!queue_.empty()) {
      const std::shared_ptr<Node> node = queue_.top();
      queue_.pop();
      visit(*node);
    }
  }

  Tensor gradient(const Node* node) const {
    const auto place = gradients_.find(node);
    return place == gradients_.end() ? Tensor() : place->second;
  }

 private:
  struct Earlier {
    bool operator()(const std::shared_ptr<Node>& a, const std::shared_ptr<Node>& b) const { return a->order < b->order; }
  };

  void visit(Node& node) {
    check(static_cast<bool>(node.rule), "gradients: this part of the graph was walked before, and its saved values are freed");
    const Rule rule = std::exchange(node.rule, {});
    const Tensor output = std::exchange(node.output, {});
    auto place = gradients_.extract(&node);
    Tensors flowing = rule(output, place.mapped());
    check(flowing.size() == node.inputs.size(), "gradients: a rule gave {} gradients for {} inputs", flowing.size(),
          node.inputs.size());
    for (std::size_t i = 0; i < flowing.size(); ++i) {
      if (!node.inputs[i] || !flowing[i].defined()) continue;
      Tensor gradient = reduce_to(std::exchange(flowing[i], {}), node.input_shapes[i]);
      add(node.inputs[i], std::move(gradient));
    }
  }

  std::unordered_map<const Node*, Tensor> gradients_;
  std::priority_queue<std::shared_ptr<Node>, std::vector<std::shared_ptr<Node>>, Earlier> queue_;
};

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

Tensors gradients(const Tensor& loss, const Tensors& parameters) {
  check(loss.size() == 1, "gradients: expected a scalar, got shape {}", to_string(loss.shape()));
  check(loss.tracked(), "gradients: the loss depends on no parameter");
  const NoGradient scope;
  Walk walk;
  walk.add(loss.node(), Tensor::full(loss.shape(), 1.0, loss.type()));
  walk.run();
  Tensors result;
  for (const Tensor& parameter : parameters) {
    check(parameter.tracked() && parameter.node()->leaf, "gradients: expected parameters, got a tensor that is not a leaf");
    const Tensor gradient = walk.gradient(parameter.node().get());
    result.push_back(gradient.defined() ? gradient : Tensor::zeros(parameter.shape(), parameter.type()));
  }
  return result;
}

Tensor reduce_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  Tensor sum = Tensor::zeros(shape, x.type());
  const Tensor spread = sum.view(x.shape(), broadcast_strides(shape, sum.strides(), x.shape()), 0);
  accumulate(x, spread);
  return sum;
}

}  // namespace ropewalk
