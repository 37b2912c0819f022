// Every operation against its naive form, its gradient against difference quotients, single precision against double, on inputs
// laid out in every way a view can lie.
#include "tests/ops/op_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/core/autograd.hpp"
#include "framework/core/random.hpp"

namespace ropewalk {
namespace {

using naive::Array;
using naive::Arrays;

enum class Layout { contiguous, transposed, stepped, repeated_first, repeated_last };

constexpr Layout layouts[] = {Layout::contiguous, Layout::transposed, Layout::stepped, Layout::repeated_first,
                              Layout::repeated_last};

const char* name_of(Layout layout) {
  switch (layout) {
    case Layout::contiguous: return "contiguous";
    case Layout::transposed: return "transposed";
    case Layout::stepped: return "stepped";
    case Layout::repeated_first: return "repeated_first";
    case Layout::repeated_last: return "repeated_last";
  }
  return "unknown";
}

bool repeats(Layout layout) { return layout == Layout::repeated_first || layout == Layout::repeated_last; }

std::size_t repeated_axis(const Shape& shape, Layout layout) { return layout == Layout::repeated_first ? 0 : shape.size() - 1; }

/// Row-major storage of the axes in reverse order, seen through reversed strides.
Tensor laid_transposed(const Array& x, Type type) {
  std::vector<int> order;
  for (int axis = static_cast<int>(x.shape.size()); axis-- > 0;) order.push_back(axis);
  const Tensor stored = naive::tensor(naive::permuted(x, order), type);
  Strides strides = stored.strides();
  std::reverse(strides.begin(), strides.end());
  return stored.view(x.shape, strides, 0);
}

/// Every second element of storage that holds NaN elsewhere, so that a stray read shows.
Tensor laid_stepped(const Array& x, Type type) {
  Shape shape = x.shape;
  shape.back() = 2 * shape.back() + 1;
  const Array stored = naive::build(shape, [&](Shape index) {
    if (index.back() % 2 == 0) return std::numeric_limits<double>::quiet_NaN();
    index.back() /= 2;
    return x.at(index);
  });
  Strides strides = contiguous_strides(shape);
  strides.back() = 2;
  return naive::tensor(stored, type).view(x.shape, strides, 1);
}

/// One slice, seen again and again through a stride of 0.
Tensor laid_repeated(const Array& x, std::size_t axis, Type type) {
  const Array first = naive::fold(x, axis, [](const std::vector<double>& line) { return line.empty() ? 0 : line[0]; });
  const Tensor stored = naive::tensor(first, type);
  return stored.view(x.shape, broadcast_strides(stored.shape(), stored.strides(), x.shape), 0);
}

Tensor laid_out(const Array& x, Layout layout, Type type) {
  if (x.shape.empty() || layout == Layout::contiguous) return naive::tensor(x, type);
  if (layout == Layout::transposed) return laid_transposed(x, type);
  if (layout == Layout::stepped) return laid_stepped(x, type);
  return laid_repeated(x, repeated_axis(x.shape, layout), type);
}

double draw(Domain domain, Stream& stream) {
  const double z = stream.normal();
  const double size = 0.5 + 1.5 * stream.uniform();
  if (domain == Domain::positive) return size;
  return domain == Domain::any ? z : std::copysign(size, z);
}

/// Numbers that single precision holds exactly, repeated along an axis if the layout does.
Array random_array(const Shape& shape, Layout layout, Domain domain, Stream stream) {
  Array x = naive::build(shape, [&](const Shape&) { return static_cast<double>(static_cast<float>(draw(domain, stream))); });
  if (!repeats(layout) || shape.empty()) return x;
  return naive::of(laid_repeated(x, repeated_axis(shape, layout), Type::f64));
}

/// One row of the table on one set of shapes in one layout.
struct OpCase {
  const OpRow* row;
  std::vector<Shape> shapes;
  Layout layout;

  Stream stream(std::uint32_t n) const { return Random(11).stream(row->name, size_of(shapes[0])).fork(n); }

  Arrays inputs() const {
    Arrays result;
    for (const Shape& shape : shapes) {
      result.push_back(random_array(shape, layout, row->domain, stream(static_cast<std::uint32_t>(result.size() + 1))));
    }
    return result;
  }

  Tensors tensors(Type type) const {
    Tensors result;
    for (const Array& x : inputs()) result.push_back(parameter(laid_out(x, layout, type)));
    return result;
  }

  /// Random weights of the output's elements: their weighted sum is the loss.
  Array weights(const Shape& shape) const { return random_array(shape, layout, Domain::any, stream(99)); }
};

std::ostream& operator<<(std::ostream& out, const OpCase& c) {
  out << c.row->name;
  for (const Shape& shape : c.shapes) out << " " << to_string(shape);
  return out << " " << name_of(c.layout);
}

/// Every set of shapes of a row in every layout it allows.
std::vector<OpCase> cases_of(const OpRow& row) {
  std::vector<OpCase> cases;
  for (const auto& shapes : row.shapes) {
    for (Layout layout : layouts) {
      if (!(row.distinct && repeats(layout))) cases.push_back({&row, shapes, layout});
    }
  }
  return cases;
}

double weighted_sum(const Array& y, const Array& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < y.values.size(); ++i) sum += y.values[i] * weights.values[i];
  return sum;
}

/// The loss as a tensor; its gradient reaches the operation in the layout of the case.
Tensor projected(const Tensor& y, const OpCase& c) {
  const Array weights = c.weights(y.shape());
  return record(Tensor::scalar(weighted_sum(naive::of(y), weights), y.type()), {y},
                [weights, c, type = y.type()](const Tensor&) { return Tensors{laid_out(weights, c.layout, type)}; });
}

Tensors analytic_gradients(const OpCase& c, Type type) {
  const Tensors x = c.tensors(type);
  return gradients(projected(c.row->function(x), c), x);
}

double loss_at(const OpCase& c, const Arrays& inputs) {
  const NoGradient scope;
  Tensors x;
  for (const Array& input : inputs) x.push_back(naive::tensor(input, Type::f64));
  const Array y = naive::of(c.row->function(x));
  return weighted_sum(y, c.weights(y.shape));
}

/// Fourth-order central difference, whose own error is about step^4 / 30 times the fifth derivative.
double difference_quotient(const OpCase& c, const Arrays& inputs, double& at) {
  constexpr double step = 1e-4;
  const double centre = at;
  const auto loss = [&](double offset) {
    at = centre + offset;
    return loss_at(c, inputs);
  };
  const double slope = (8 * (loss(step) - loss(-step)) - (loss(2 * step) - loss(-2 * step))) / (12 * step);
  at = centre;
  return slope;
}

double norm(const std::vector<double>& x) {
  double squares = 0;
  for (double value : x) squares += value * value;
  return std::sqrt(squares);
}

/// ‖a - b‖ against the norm of b, or against `floor` if that is larger: a gradient that is zero has no relative error.
double relative_error(std::vector<double> a, const std::vector<double>& b, double floor) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return norm(a) / std::max(norm(b), floor);
}

void expect_naive_value(const OpCase& c) {
  const Array expected = c.row->naive(c.inputs());
  const Tensor y = c.row->function(c.tensors(Type::f64));
  ASSERT_EQ(y.shape(), expected.shape);
  EXPECT_LE(relative_error(y.values(), expected.values, 1), 1e-13);
}

void expect_recorded_value(const OpCase& c) {
  const Tensor recorded = c.row->function(c.tensors(Type::f32));
  Tensors constants;
  for (const Tensor& x : c.tensors(Type::f32)) constants.push_back(x.detach());
  const Tensor y = c.row->function(constants);
  EXPECT_TRUE(recorded.tracked());
  EXPECT_FALSE(y.tracked());
  EXPECT_LE(relative_error(y.values(), recorded.values(), 1), 1e-6);
}

void expect_difference_quotients(const OpCase& c) {
  const Tensors found = analytic_gradients(c, Type::f64);
  Arrays inputs = c.inputs();
  for (std::size_t n = 0; n < inputs.size(); ++n) {
    ASSERT_EQ(found[n].shape(), inputs[n].shape);
    std::vector<double> expected;
    for (double& element : inputs[n].values) expected.push_back(difference_quotient(c, inputs, element));
    EXPECT_LE(relative_error(found[n].values(), expected, 0.1), 1e-6) << "input " << n;
  }
}

void expect_single_follows_double(const OpCase& c) {
  const Tensor wide = c.row->function(c.tensors(Type::f64)), narrow = c.row->function(c.tensors(Type::f32));
  EXPECT_EQ(narrow.type(), Type::f32);
  EXPECT_LE(relative_error(narrow.values(), wide.values(), 1), 1e-5);
  const Tensors expected = analytic_gradients(c, Type::f64), found = analytic_gradients(c, Type::f32);
  for (std::size_t n = 0; n < found.size(); ++n) {
    EXPECT_EQ(found[n].type(), Type::f32);
    EXPECT_LE(relative_error(found[n].values(), expected[n].values(), 1), 1e-5) << "input " << n;
  }
}

class Op : public testing::TestWithParam<OpRow> {
 protected:
  static void for_each_case(void (*expect)(const OpCase&)) {
    for (const OpCase& c : cases_of(GetParam())) {
      SCOPED_TRACE(testing::PrintToString(c));
      expect(c);
    }
  }
};

TEST_P(Op, ValueIsTheNaiveOne) { for_each_case(expect_naive_value); }
TEST_P(Op, ValueIsTheSameWhenNothingIsRecorded) { for_each_case(expect_recorded_value); }
TEST_P(Op, GradientIsTheDifferenceQuotient) { for_each_case(expect_difference_quotients); }
TEST_P(Op, SinglePrecisionFollowsDouble) { for_each_case(expect_single_follows_double); }

INSTANTIATE_TEST_SUITE_P(Table, Op, testing::ValuesIn(op_table()), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ropewalk
