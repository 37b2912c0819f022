#include "tests/ops/op_table.hpp"

#include <algorithm>
#include <cmath>

#include "framework/core/random.hpp"
#include "framework/ops/cumulate.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/feed_forward.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/normalize.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/select.hpp"
#include "framework/ops/softmax.hpp"
#include "tests/ops/attention_rows.hpp"

namespace ropewalk {
namespace {

using naive::Array;
using naive::Arrays;
using Rows = std::vector<OpRow>;
using Shapes = std::vector<Shape>;
using ShapeSets = std::vector<Shapes>;
using Line = std::vector<double>;

const ShapeSets one_input{{{3, 5}}, {{2, 3, 4}}, {{1}}, {{2, 1, 3}}, {{}}, {{0, 3}}, {{3, 0}}, {{2, 37}}};
const ShapeSets with_axes{{{3, 5}}, {{2, 3, 4}}, {{1}}, {{2, 1, 3}}, {{0, 3}}, {{2, 37}}};
const ShapeSets two_inputs{{{3, 4}, {3, 4}}, {{2, 1, 5}, {4, 1}}, {{4}, {3, 1}},    {{1}, {1}},   {{}, {2, 3}},
                           {{2, 19}, {19}},  {{2, 19}, {2, 1}},   {{0, 3}, {1, 3}}, {{3, 0}, {1}}};

OpRow unary(const char* name, Tensor (*function)(const Tensor&), double (*naive)(double), Domain domain = Domain::any) {
  return {name, one_input, [function](const Tensors& x) { return function(x[0]); },
          [naive](const Arrays& x) { return naive::map(x[0], naive); }, domain};
}

OpRow binary(const char* name, Tensor (*function)(const Tensor&, const Tensor&), double (*naive)(double, double),
             Domain domain = Domain::any) {
  return {name, two_inputs, [function](const Tensors& x) { return function(x[0], x[1]); },
          [naive](const Arrays& x) { return naive::combine(x[0], x[1], naive); }, domain};
}

Rows elementwise_rows() {
  return {
      binary("add", add, [](double a, double b) { return a + b; }),
      binary("subtract", subtract, [](double a, double b) { return a - b; }),
      binary("multiply", multiply, [](double a, double b) { return a * b; }),
      binary(
          "divide", divide, [](double a, double b) { return a / b; }, Domain::away_from_zero),
      unary(
          "scale", [](const Tensor& x) { return scale(x, -2.5); }, [](double x) { return -2.5 * x; }),
      unary("negate", negate, [](double x) { return -x; }),
      unary("exp", exp, [](double x) { return std::exp(x); }),
      unary(
          "log", log, [](double x) { return std::log(x); }, Domain::positive),
      unary("tanh", tanh, [](double x) { return std::tanh(x); }),
      unary("sigmoid", sigmoid, naive::sigmoid),
      unary("log_sigmoid", log_sigmoid, [](double x) { return std::log(naive::sigmoid(x)); }),
      unary(
          "relu", relu, [](double x) { return x > 0 ? x : 0; }, Domain::away_from_zero),
      unary("silu", silu, naive::silu),
      unary("gelu", gelu, naive::gelu),
      unary("gelu_tanh", gelu_tanh, naive::gelu_tanh),
      unary(
          "square_root", square_root, [](double x) { return std::sqrt(x); }, Domain::positive),
      unary(
          "clamp", [](const Tensor& x) { return clamp(x, -0.4, 0.7); },
          [](double x) { return std::min(std::max(x, -0.4), 0.7); }),
      unary(
          "clamp_below", [](const Tensor& x) { return clamp(x, 0.1, INFINITY); }, [](double x) { return std::max(x, 0.1); }),
      {"square_by_itself", one_input, [](const Tensors& x) { return multiply(x[0], x[0]); },
       [](const Arrays& x) { return naive::map(x[0], [](double v) { return v * v; }); }},
  };
}

double sum_of(const Line& line) {
  double sum = 0;
  for (double x : line) sum += x;
  return sum;
}

double largest_of(const Line& line) { return *std::max_element(line.begin(), line.end()); }

/// Folds the axes (not negative) one after another, then drops them unless they are kept.
Array folded(const Array& x, const std::vector<std::size_t>& axes, bool keep, double (*fold)(const Line&)) {
  Array result = x;
  for (std::size_t axis : axes) result = naive::fold(result, axis, fold);
  if (keep) return result;
  Shape shape;
  for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) shape.push_back(x.shape[axis]);
  }
  return naive::reshaped(result, shape);
}

Array naive_mean(const Array& x, const std::vector<std::size_t>& axes, bool keep) {
  double count = 1;
  for (std::size_t axis : axes) count *= static_cast<double>(x.shape[axis]);
  return naive::map(folded(x, axes, keep, sum_of), [count](double sum) { return sum / count; });
}

std::vector<std::size_t> all_axes(const Array& x) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < x.shape.size(); ++axis) axes.push_back(axis);
  return axes;
}

Rows sum_rows() {
  return {
      {"sum_all", one_input, [](const Tensors& x) { return sum(x[0]); },
       [](const Arrays& x) { return folded(x[0], all_axes(x[0]), false, sum_of); }},
      {"sum_all_keep", one_input, [](const Tensors& x) { return sum(x[0], {}, true); },
       [](const Arrays& x) { return folded(x[0], all_axes(x[0]), true, sum_of); }},
      {"sum_first", with_axes, [](const Tensors& x) { return sum(x[0], {0}); },
       [](const Arrays& x) { return folded(x[0], {0}, false, sum_of); }},
      {"sum_last_keep", with_axes, [](const Tensors& x) { return sum(x[0], {-1}, true); },
       [](const Arrays& x) { return folded(x[0], {x[0].shape.size() - 1}, true, sum_of); }},
      {"sum_outer",
       {{{2, 3, 4}}, {{2, 3, 0}}, {{2, 0, 3}}, {{1, 2, 1}}},
       [](const Tensors& x) {
         return sum(x[0], {-1, 0});
       },
       [](const Arrays& x) {
         return folded(x[0], {0, 2}, false, sum_of);
       }},
      {"sum_middle_keep",
       {{{2, 3, 4}}, {{2, 0, 3}}},
       [](const Tensors& x) { return sum(x[0], {1}, true); },
       [](const Arrays& x) { return folded(x[0], {1}, true, sum_of); }},
  };
}

Rows mean_and_maximum_rows() {
  return {
      {"mean_all",
       {{{3, 5}}, {{2, 3, 4}}, {{1}}, {{}}},
       [](const Tensors& x) { return mean(x[0]); },
       [](const Arrays& x) { return naive_mean(x[0], all_axes(x[0]), false); }},
      {"mean_outer_keep",
       {{{2, 3, 4}}, {{1, 2, 1}}, {{2, 0, 3}}},
       [](const Tensors& x) {
         return mean(x[0], {0, 2}, true);
       },
       [](const Arrays& x) {
         return naive_mean(x[0], {0, 2}, true);
       }},
      {"mean_last",
       {{{3, 5}}, {{2, 3, 4}}, {{0, 3}}},
       [](const Tensors& x) { return mean(x[0], {-1}); },
       [](const Arrays& x) { return naive_mean(x[0], {x[0].shape.size() - 1}, false); }},
      {"maximum_last", with_axes, [](const Tensors& x) { return maximum(x[0], -1); },
       [](const Arrays& x) { return folded(x[0], {x[0].shape.size() - 1}, false, largest_of); }, Domain::any, true},
      {"maximum_middle_keep",
       {{{2, 3, 4}}, {{2, 1, 3}}, {{0, 2, 3}}},
       [](const Tensors& x) { return maximum(x[0], 1, true); },
       [](const Arrays& x) { return folded(x[0], {1}, true, largest_of); },
       Domain::any,
       true},
      {"maximum_first",
       {{{3, 5}}, {{1}}, {{2, 0}}},
       [](const Tensors& x) { return maximum(x[0], 0); },
       [](const Arrays& x) { return folded(x[0], {0}, false, largest_of); },
       Domain::any,
       true},
  };
}

Array naive_cumulative_sum(const Array& x, std::size_t axis) {
  return naive::build(x.shape, [&](Shape index) {
    double total = 0;
    for (; index[axis] >= 0; --index[axis]) total += x.at(index);
    return total;
  });
}

Rows cumulative_rows() {
  return {
      {"cumulative_sum_first", with_axes, [](const Tensors& x) { return cumulative_sum(x[0], 0); },
       [](const Arrays& x) { return naive_cumulative_sum(x[0], 0); }},
      {"cumulative_sum_middle",
       {{{2, 3, 4}}, {{2, 0, 3}}, {{3, 5, 0}}, {{2, 1, 3}}},
       [](const Tensors& x) { return cumulative_sum(x[0], 1); },
       [](const Arrays& x) { return naive_cumulative_sum(x[0], 1); }},
      {"cumulative_sum_last", with_axes, [](const Tensors& x) { return cumulative_sum(x[0], -1); },
       [](const Arrays& x) { return naive_cumulative_sum(x[0], x[0].shape.size() - 1); }},
  };
}

Array transposed(const Array& x) {
  std::vector<int> order;
  for (int axis = 0; axis < static_cast<int>(x.shape.size()); ++axis) order.push_back(axis);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return naive::permuted(x, order);
}

Rows matmul_rows() {
  const ShapeSets products{{{3, 4}, {4, 5}}, {{2, 3, 4}, {2, 4, 5}}, {{2, 1, 3, 4}, {3, 4, 2}}, {{2, 3, 4}, {4, 5}},
                           {{1, 1}, {1, 1}}, {{1, 4}, {4, 1}},       {{4, 1}, {1, 3}},          {{3, 0}, {0, 2}},
                           {{0, 3}, {3, 2}}, {{3, 2}, {2, 0}},       {{0, 2, 3}, {3, 2}},       {{17, 9}, {9, 19}}};
  const ShapeSets turned{{{4, 3}, {5, 4}}, {{2, 4, 3}, {2, 5, 4}}, {{4, 3}, {2, 5, 4}}, {{1, 3}, {2, 1}}, {{0, 3}, {2, 0}}};
  return {
      {"matmul", products, [](const Tensors& x) { return matmul(x[0], x[1]); },
       [](const Arrays& x) { return naive::matmul(x[0], x[1]); }},
      {"matmul_transposed", turned, [](const Tensors& x) { return matmul(transpose(x[0]), transpose(x[1])); },
       [](const Arrays& x) { return naive::matmul(transposed(x[0]), transposed(x[1])); }},
  };
}

/// x weightᵀ + bias, row by row.
Array affine(const Array& x, const Array& weight, const Array* bias) {
  Shape rows = x.shape, shape = x.shape;
  if (rows.size() == 1) rows.insert(rows.begin(), 1);
  shape.back() = weight.shape[0];
  Array y = naive::matmul(naive::reshaped(x, rows), transposed(weight));
  if (bias) y = naive::combine(y, *bias, [](double a, double b) { return a + b; });
  return naive::reshaped(y, shape);
}

Array plus(const Array& a, const Array& b) {
  return naive::combine(a, b, [](double u, double v) { return u + v; });
}

/// Inputs x, weight, then the bias and the residual where there are such.
OpRow linear_row(bool has_bias, bool has_residual) {
  ShapeSets shapes{{{3, 4}, {5, 4}, {5}, {3, 5}}, {{2, 3, 4}, {17, 4}, {17}, {2, 3, 17}}, {{4}, {3, 4}, {3}, {3}},
                   {{1, 1}, {1, 1}, {1}, {1, 1}}, {{0, 4}, {3, 4}, {3}, {0, 3}},          {{2, 0}, {3, 0}, {3}, {2, 3}},
                   {{2, 3}, {0, 3}, {0}, {2, 0}}};
  for (Shapes& set : shapes) {
    if (!has_residual) set.pop_back();
    if (!has_bias) set.erase(set.begin() + 2);
  }
  return {std::string("linear") + (has_bias ? "_bias" : "") + (has_residual ? "_residual" : ""), shapes,
          [=](const Tensors& x) { return linear(x[0], x[1], has_bias ? x[2] : Tensor(), has_residual ? x.back() : Tensor()); },
          [=](const Arrays& x) {
            const Array y = affine(x[0], x[1], has_bias ? &x[2] : nullptr);
            return has_residual ? plus(y, x.back()) : y;
          }};
}

Rows linear_rows() {
  return {linear_row(false, false), linear_row(true, false), linear_row(false, true), linear_row(true, true)};
}

/// Inputs x, up, down, then both biases and the residual where there are such.
OpRow feed_forward_row(const char* name, Activation activation, double (*function)(double), bool has_more) {
  ShapeSets shapes{{{3, 4}, {6, 4}, {5, 6}, {6}, {5}, {3, 5}},
                   {{2, 3, 4}, {17, 4}, {4, 17}, {17}, {4}, {2, 3, 4}},
                   {{4}, {3, 4}, {2, 3}, {3}, {2}, {2}},
                   {{0, 4}, {3, 4}, {2, 3}, {3}, {2}, {0, 2}}};
  for (Shapes& set : shapes) set.resize(has_more ? 6 : 3);
  return {std::string("feed_forward_") + name + (has_more ? "" : "_alone"), shapes,
          [=](const Tensors& x) {
            if (!has_more) return feed_forward(x[0], {x[1], {}}, {x[2], {}}, activation);
            return feed_forward(x[0], {x[1], x[3]}, {x[2], x[4]}, activation, x[5]);
          },
          [=](const Arrays& x) {
            const Array hidden = naive::map(affine(x[0], x[1], has_more ? &x[3] : nullptr), function);
            const Array y = affine(hidden, x[2], has_more ? &x[4] : nullptr);
            return has_more ? plus(y, x[5]) : y;
          }};
}

Rows feed_forward_rows() {
  Rows rows;
  for (bool has_more : {true, false}) {
    rows.push_back(feed_forward_row(
        "plain", Activation::none, [](double x) { return x; }, has_more));
    rows.push_back(feed_forward_row(
        "relu", Activation::relu, [](double x) { return x > 0 ? x : 0; }, has_more));
    rows.push_back(feed_forward_row("silu", Activation::silu, naive::silu, has_more));
    rows.push_back(feed_forward_row("gelu", Activation::gelu, naive::gelu, has_more));
    rows.push_back(feed_forward_row("gelu_tanh", Activation::gelu_tanh, naive::gelu_tanh, has_more));
  }
  return rows;
}

/// Targets that touch the first and the last class and leave some rows unscored.
std::vector<std::int32_t> some_targets(Index rows, Index classes) {
  std::vector<std::int32_t> targets;
  for (Index row = 0; row < rows; ++row) targets.push_back(static_cast<std::int32_t>((row * 5 + classes) % (classes + 1) - 1));
  return targets;
}

Shape leading(const Shape& shape) { return Shape(shape.begin(), shape.end() - 1); }

Array naive_cross_entropy(const Array& logits) {
  const Shape shape = leading(logits.shape);
  const Index classes = logits.shape.back();
  const std::vector<std::int32_t> targets = some_targets(size_of(shape), classes);
  Array result{shape, {}};
  for (std::size_t row = 0; row < targets.size(); ++row) {
    const double* line = logits.values.data() + static_cast<Index>(row) * classes;
    result.values.push_back(targets[row] < 0 ? 0 : naive::log_sum_exp(Line(line, line + classes)) - line[targets[row]]);
  }
  return result;
}

Rows softmax_rows() {
  return {
      {"softmax", with_axes, [](const Tensors& x) { return softmax(x[0]); },
       [](const Arrays& x) { return naive::rows(x[0], naive::softmax); }},
      {"softmax_of_nothing", {{{3, 0}}}, [](const Tensors& x) { return softmax(x[0]); }, [](const Arrays& x) { return x[0]; }},
      {"log_softmax", with_axes, [](const Tensors& x) { return log_softmax(x[0]); },
       [](const Arrays& x) {
         return naive::rows(x[0], [](Line row) {
           const double total = naive::log_sum_exp(row);
           for (double& value : row) value -= total;
           return row;
         });
       }},
      {"cross_entropy",
       {{{3, 5}}, {{2, 3, 4}}, {{6}}, {{1, 1}}, {{0, 3}}, {{7, 37}}},
       [](const Tensors& x) {
         const Shape shape = leading(x[0].shape());
         return cross_entropy(x[0], Tensor::of(some_targets(size_of(shape), x[0].dim(-1)), shape));
       },
       [](const Arrays& x) { return naive_cross_entropy(x[0]); }},
  };
}

/// Rows less their mean if `centred`, divided by their root mean square.
Array normalised(const Array& x, double epsilon, bool centred) {
  return naive::rows(x, [=](Line row) {
    const auto count = static_cast<double>(row.size());
    const double mean = centred ? sum_of(row) / count : 0;
    double squares = 0;
    for (double& value : row) squares += (value - mean) * (value - mean);
    for (double& value : row) value = (value - mean) / std::sqrt(squares / count + epsilon);
    return row;
  });
}

double product(double a, double b) { return a * b; }

OpRow layer_norm_row(const char* name, const ShapeSets& shapes, double epsilon, bool distinct) {
  return {name,
          shapes,
          [=](const Tensors& x) { return layer_norm(x[0], x[1], x[2], epsilon); },
          [=](const Arrays& x) {
            return naive::combine(naive::combine(normalised(x[0], epsilon, true), x[1], product), x[2],
                                  [](double a, double b) { return a + b; });
          },
          Domain::any,
          distinct};
}

Rows normalize_rows() {
  const ShapeSets shapes{{{3, 5}, {5}, {5}}, {{2, 3, 4}, {4}, {4}}, {{37}, {37}, {37}}, {{3, 1}, {1}, {1}}, {{0, 3}, {3}, {3}}};
  return {
      layer_norm_row("layer_norm", shapes, 1e-2, false),
      layer_norm_row("layer_norm_sharp", {shapes[0], shapes[1], shapes[2]}, 1e-5, true),
      {"rms_norm",
       {{{3, 5}, {5}}, {{2, 3, 4}, {4}}, {{3, 1}, {1}}, {{0, 3}, {3}}, {{37}, {37}}},
       [](const Tensors& x) { return rms_norm(x[0], x[1], 1e-2); },
       [](const Arrays& x) { return naive::combine(normalised(x[0], 1e-2, false), x[1], product); }},
  };
}

Array naive_slice(const Array& x, std::size_t axis, Index begin, Index end, Index step) {
  Shape shape = x.shape;
  shape[axis] = (end - begin + step - 1) / step;
  return naive::build(shape, [&](Shape index) {
    index[axis] = begin + index[axis] * step;
    return x.at(index);
  });
}

Array joined(const Arrays& parts, std::size_t axis) {
  Shape shape = parts[0].shape;
  shape[axis] = 0;
  for (const Array& part : parts) shape[axis] += part.shape[axis];
  return naive::build(shape, [&](Shape index) {
    std::size_t part = 0;
    while (index[axis] >= parts[part].shape[axis]) index[axis] -= parts[part++].shape[axis];
    return parts[part].at(index);
  });
}

Rows moving_rows() {
  return {
      {"reshape",
       {{{2, 6}}, {{3, 4}}, {{12}}, {{1, 12, 1}}},
       [](const Tensors& x) {
         return reshape(x[0], {4, -1});
       },
       [](const Arrays& x) {
         return naive::reshaped(x[0], {4, 3});
       }},
      {"reshape_empty",
       {{{0, 3}}, {{2, 0}}},
       [](const Tensors& x) {
         return reshape(x[0], {5, 0});
       },
       [](const Arrays&) {
         return Array{{5, 0}, {}};
       }},
      {"reshape_scalar",
       {{{}}, {{1, 1}}},
       [](const Tensors& x) { return reshape(x[0], {}); },
       [](const Arrays& x) { return naive::reshaped(x[0], {}); }},
      {"permute",
       {{{2, 3, 4}}, {{1, 3, 1}}, {{2, 0, 4}}},
       [](const Tensors& x) {
         return permute(x[0], {2, 0, -2});
       },
       [](const Arrays& x) {
         return naive::permuted(x[0], {2, 0, 1});
       }},
      {"transpose",
       {{{3, 5}}, {{2, 3, 4}}, {{1, 1}}, {{0, 3}}},
       [](const Tensors& x) { return transpose(x[0]); },
       [](const Arrays& x) { return transposed(x[0]); }},
      {"broadcast_to",
       {{{3, 1}}, {{1, 4}}, {{3, 4}}, {{}}, {{4}}},
       [](const Tensors& x) {
         return broadcast_to(x[0], {2, 3, 4});
       },
       [](const Arrays& x) {
         return naive::build({2, 3, 4}, [&](const Shape& index) { return x[0].at(index); });
       }},
      {"broadcast_to_nothing",
       {{{3, 1}}, {{3, 0}}},
       [](const Tensors& x) {
         return broadcast_to(x[0], {3, 0});
       },
       [](const Arrays&) {
         return Array{{3, 0}, {}};
       }},
  };
}

Rows cutting_rows() {
  return {
      {"slice_first",
       {{{3, 5}}, {{2, 3, 4}}, {{2}}},
       [](const Tensors& x) { return slice(x[0], 0, 1, 2); },
       [](const Arrays& x) { return naive_slice(x[0], 0, 1, 2, 1); }},
      {"slice_step",
       {{{3, 5}}, {{2, 3, 7}}, {{0, 5}}},
       [](const Tensors& x) { return slice(x[0], -1, 1, x[0].dim(-1), 2); },
       [](const Arrays& x) { return naive_slice(x[0], x[0].shape.size() - 1, 1, x[0].shape.back(), 2); }},
      {"slice_nothing",
       {{{3, 5}}},
       [](const Tensors& x) { return slice(x[0], 1, 2, 2); },
       [](const Arrays& x) { return naive_slice(x[0], 1, 2, 2, 1); }},
      {"slice_of_slice",
       {{{4, 9}}},
       [](const Tensors& x) { return slice(slice(x[0], 1, 1, 9, 3), 1, 1, 3); },
       [](const Arrays& x) { return naive_slice(x[0], 1, 4, 8, 3); }},
      {"concatenate_last",
       {{{2, 3}, {2, 1}, {2, 4}}, {{1, 2, 3}, {1, 2, 0}, {1, 2, 1}}, {{1}, {1}, {1}}},
       [](const Tensors& x) { return concatenate(x, -1); },
       [](const Arrays& x) { return joined(x, x[0].shape.size() - 1); }},
      {"concatenate_first",
       {{{2, 3}, {1, 3}}, {{2, 0}, {3, 0}}, {{2, 3, 2}}},
       [](const Tensors& x) { return concatenate(x, 0); },
       [](const Arrays& x) { return joined(x, 0); }},
      {"concatenate_itself",
       {{{2, 3}}},
       [](const Tensors& x) {
         return concatenate({x[0], x[0]}, 1);
       },
       [](const Arrays& x) {
         return joined({x[0], x[0]}, 1);
       }},
  };
}

/// Indices [2, 3] into an axis, one of them twice; none if there is nothing to point at.
Tensor some_indices(Index extent) {
  if (extent == 0) return Tensor::zeros({0}, Type::i32);
  std::vector<std::int32_t> indices;
  for (Index i = 0; i < 6; ++i) indices.push_back(static_cast<std::int32_t>((i * 7 + extent - 1) % extent));
  return Tensor::of(indices, {2, 3});
}

Array naive_gather(const Array& x, std::size_t axis) {
  const Array indices = naive::of(some_indices(x.shape[axis]));
  const auto at_axis = static_cast<Index>(axis), count = static_cast<Index>(indices.shape.size());
  Shape shape = x.shape;
  shape.erase(shape.begin() + at_axis);
  shape.insert(shape.begin() + at_axis, indices.shape.begin(), indices.shape.end());
  return naive::build(shape, [&](Shape index) {
    const Shape chosen(index.begin() + at_axis, index.begin() + at_axis + count);
    index.erase(index.begin() + at_axis, index.begin() + at_axis + count);
    index.insert(index.begin() + at_axis, static_cast<Index>(indices.at(chosen)));
    return x.at(index);
  });
}

/// Six indices into the last axis for each row, others in each row, some of them twice; none if there is nothing to point at.
Array indices_of_rows(Shape shape) {
  const Index extent = shape.back();
  shape.back() = extent == 0 ? 0 : 6;
  return naive::build(shape, [extent](const Shape& index) {
    Index place = 2 * index.back();
    for (Index i : index) place += 3 * i;
    return static_cast<double>(place % extent);
  });
}

Tensor pick_some(const Tensor& x) {
  const Array indices = indices_of_rows(x.shape());
  const std::vector<std::int32_t> whole(indices.values.begin(), indices.values.end());
  return pick(x, Tensor::of(whole, indices.shape));
}

Array naive_pick(const Array& x) {
  const Array indices = indices_of_rows(x.shape);
  return naive::build(indices.shape, [&](Shape index) {
    index.back() = static_cast<Index>(indices.at(index));
    return x.at(index);
  });
}

Tensor every_other(const Shape& shape) {
  Tensor mask = Tensor::zeros(shape, Type::i32);
  for (Index i = 0; i < mask.size(); i += 2) mask.data<std::int32_t>()[i] = 1;
  return mask;
}

Stream dropout_stream() { return Random(3).stream("dropout"); }

Array naive_dropout(const Array& x, double p) {
  Stream stream = dropout_stream();
  return naive::map(x, [&](double value) { return stream.uniform() < p ? 0 : value / (1 - p); });
}

Rows choosing_rows() {
  return {
      {"gather_first",
       {{{4, 3}}, {{5}}, {{1, 2}}, {{4, 0}}, {{0, 3}}},
       [](const Tensors& x) { return gather(x[0], 0, some_indices(x[0].dim(0))); },
       [](const Arrays& x) { return naive_gather(x[0], 0); }},
      {"gather_middle",
       {{{2, 4, 3}}, {{2, 1, 1}}},
       [](const Tensors& x) { return gather(x[0], -2, some_indices(x[0].dim(1))); },
       [](const Arrays& x) { return naive_gather(x[0], 1); }},
      {"gather_last",
       {{{3, 5}}, {{2, 2, 3}}},
       [](const Tensors& x) { return gather(x[0], -1, some_indices(x[0].dim(-1))); },
       [](const Arrays& x) { return naive_gather(x[0], x[0].shape.size() - 1); }},
      {"pick", with_axes, [](const Tensors& x) { return pick_some(x[0]); }, [](const Arrays& x) { return naive_pick(x[0]); }},
      {"embedding",
       {{{7, 4}}, {{1, 1}}, {{3, 20}}},
       [](const Tensors& x) { return embedding(x[0], some_indices(x[0].dim(0))); },
       [](const Arrays& x) { return naive_gather(x[0], 0); }},
      {"masked_fill",
       {{{3, 5}}, {{2, 3, 5}}, {{5}}, {{0, 5}}},
       [](const Tensors& x) { return masked_fill(x[0], every_other({5}), -1.5); },
       [](const Arrays& x) {
         return naive::build(x[0].shape, [&](const Shape& index) { return index.back() % 2 == 0 ? -1.5 : x[0].at(index); });
       }},
      {"dropout", one_input, [](const Tensors& x) { return dropout(x[0], 0.3, dropout_stream()); },
       [](const Arrays& x) { return naive_dropout(x[0], 0.3); }},
      {"dropout_none",
       {{{3, 5}}},
       [](const Tensors& x) { return dropout(x[0], 0, dropout_stream()); },
       [](const Arrays& x) { return x[0]; }},
  };
}

}  // namespace

const std::vector<OpRow>& op_table() {
  static const Rows table = [] {
    Rows all;
    for (const Rows& family : {elementwise_rows(), sum_rows(), mean_and_maximum_rows(), cumulative_rows(), matmul_rows(),
                               linear_rows(), feed_forward_rows(), softmax_rows(), normalize_rows(), moving_rows(),
                               cutting_rows(), choosing_rows(), attention_rows()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return table;
}

}  // namespace ropewalk
