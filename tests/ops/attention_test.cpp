// The block kernel of attention against attention composed of dense operations, in double, beyond the size of a block.
#include "framework/ops/attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "framework/core/parallel.hpp"
#include "framework/core/random.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/reduce.hpp"
#include "tests/ops/attention_rows.hpp"

namespace ropewalk {
namespace {

using Form = Tensor (*)(const Tensor&, Index, const AttentionTerms&);

constexpr Index heads = 2;

/// Queries, keys, values, and a bias that covers the length.
struct Inputs {
  Tensor qkv, bias;

  Inputs(Index batch, Index length, Index width)
      : qkv(parameter(normal({batch, length, 3 * heads * width}, 1.0, Random(1).stream("qkv"), Type::f64))),
        bias(parameter(normal({heads, 2 * length - 1}, 1.0, Random(1).stream("bias"), Type::f64))) {}
};

struct Outcome {
  std::vector<double> value;
  std::vector<std::vector<double>> gradients;
};

/// The output, and the gradients of its sum with fixed random weights.
Outcome outcome(Form form, const AttentionKind& kind, const Inputs& inputs) {
  const Index length = inputs.qkv.dim(1), width = inputs.qkv.dim(2) / 3 / heads;
  const Tensor y = form(inputs.qkv, heads, terms_of(kind, length, width, inputs.bias, Type::f64));
  const Tensor weights = normal(y.shape(), 1.0, Random(2).stream("weights"), Type::f64);
  Outcome result{y.values(), {}};
  for (const Tensor& gradient : gradients(sum(multiply(y, weights)), {inputs.qkv, inputs.bias})) {
    result.gradients.push_back(gradient.values());
  }
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::isnan(a[i]) ? INFINITY : std::abs(a[i] - b[i]));
  return largest;
}

class AttentionForms : public testing::TestWithParam<std::tuple<AttentionKind, Index, Index>> {};

TEST_P(AttentionForms, Agree) {
  const auto [kind, length, width] = GetParam();
  const Inputs inputs(2, length, width);
  const Outcome blocks = outcome(attention, kind, inputs), dense = outcome(attention_reference, kind, inputs);
  EXPECT_LE(largest_difference(blocks.value, dense.value), 1e-12);
  for (std::size_t n = 0; n < 2; ++n) {
    ASSERT_EQ(blocks.gradients[n].size(), dense.gradients[n].size());
    EXPECT_LE(largest_difference(blocks.gradients[n], dense.gradients[n]), 1e-12) << (n == 0 ? "qkv" : "bias");
  }
}

std::string form_name(const testing::TestParamInfo<AttentionForms::ParamType>& info) {
  return std::string(std::get<0>(info.param).name) + "_length_" + std::to_string(std::get<1>(info.param)) + "_width_" +
         std::to_string(std::get<2>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Sizes, AttentionForms,
                         testing::Combine(testing::ValuesIn(attention_kinds()), testing::Values(1, 2, 17, 64, 65, 130),
                                          testing::Values(4, 16, 20)),
                         form_name);

// Weights of a row that sees nothing have no defined value; the contract is zeros, and zero gradients, never NaN.
TEST(AttentionMask, ARowThatSeesNothingIsZero) {
  for (Form form : {Form{attention}, Form{attention_reference}}) {
    Inputs inputs(1, 3, 4);
    inputs.bias = parameter(Tensor::full({heads, 5}, -std::numeric_limits<double>::infinity(), Type::f64));
    const Outcome found = outcome(form, {.name = "hidden", .biased = true}, inputs);
    EXPECT_EQ(found.value, std::vector<double>(found.value.size(), 0.0));
    EXPECT_EQ(found.gradients[0], std::vector<double>(found.gradients[0].size(), 0.0));
  }
}

TEST(AttentionMask, LaterTokensChangeNothing) {
  const Inputs inputs(1, 65, 4);
  const AttentionTerms terms;
  Tensor changed = copy(inputs.qkv);
  for (Index i = 0; i < changed.dim(2); ++i) changed.data<double>()[64 * changed.dim(2) + i] += 1;
  const std::vector<double> before = attention(inputs.qkv, heads, terms).values();
  const std::vector<double> after = attention(changed, heads, terms).values();
  const auto earlier = static_cast<Index>(64 * heads * 4);
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + earlier, after.begin()));
  EXPECT_FALSE(std::equal(before.begin() + earlier, before.end(), after.begin() + earlier));
}

// A recorded call computes a sequence at once, another one cuts it into pieces of 4096 queries of a head.
TEST(AttentionPieces, HaveTheBitsOfTheWhole) {
  constexpr Index width = 4;
  for (const AttentionKind& kind : attention_kinds()) {
    for (Index length : {4096, 4097, 8195}) {
      SCOPED_TRACE(std::string(kind.name) + " at " + std::to_string(length));
      const Tensor bias = normal({heads, 2 * length - 1}, 1.0, Random(1).stream("bias"));
      const Tensor qkv = normal({1, length, 3 * heads * width}, 1.0, Random(1).stream("qkv"));
      const Form attention = ropewalk::attention;  // of its overloads this one
      const Tensor whole = attention(parameter(qkv), heads, terms_of(kind, length, width, bias, Type::f32));
      Index pieces = 0;
      const ParallelScope scope([&](Index count, const std::function<void(Index)>& piece) {
        pieces = count;
        for (Index i = count - 1; i >= 0; --i) piece(i);
      });
      const Tensor cut = attention(qkv, heads, terms_of(kind, length, width, bias, Type::f32));
      EXPECT_EQ(pieces, length <= 4096 ? 0 : heads * ((length + 4095) / 4096));
      EXPECT_TRUE(std::equal(cut.data<float>(), cut.data<float>() + cut.size(), whole.data<float>()));
    }
  }
}

// Tables and biases may be views: here the transpose of a stored table.
TEST(AttentionTables, MayBeStrided) {
  const Inputs inputs(1, 5, 4);
  AttentionTerms straight = terms_of(attention_kinds()[2], 5, 4, inputs.bias, Type::f64), turned = straight;
  for (Tensor* table : {&turned.query_rotation.cosine, &turned.query_rotation.sine}) {
    const Tensor stored = copy(table->view({2, 5}, {1, 2}, 0));
    *table = stored.view({5, 2}, {1, 5}, 0);
  }
  turned.key_rotation = turned.query_rotation;
  EXPECT_EQ(attention(inputs.qkv, heads, turned).values(), attention(inputs.qkv, heads, straight).values());
}

}  // namespace
}  // namespace ropewalk
