// What every operation says when it is asked for something it cannot do.
#include <gtest/gtest.h>

#include "framework/ops/attention.hpp"
#include "framework/ops/cumulate.hpp"
#include "framework/ops/distance_bias.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/normalize.hpp"
#include "framework/ops/position_bias.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/select.hpp"
#include "framework/ops/softmax.hpp"
#include "tests/core/errors.hpp"

namespace ropewalk {
namespace {

Tensor floats(Shape shape) { return Tensor::zeros(std::move(shape), Type::f32); }
Tensor doubles(Shape shape) { return Tensor::zeros(std::move(shape), Type::f64); }
Tensor integers(Shape shape, std::int32_t value = 0) { return Tensor::full(std::move(shape), value, Type::i32); }

/// Attention on [2, 3, 12] with 2 heads of width 2.
Tensor attend(const AttentionTerms& terms) { return attention(floats({2, 3, 12}), 2, terms); }

AttentionTerms rotating(const Tensor& cosine, const Tensor& sine) {
  AttentionTerms terms;
  terms.query_rotation = terms.key_rotation = {cosine, sine};
  return terms;
}
AttentionTerms biased(const Tensor& values) {
  AttentionTerms terms;
  terms.biases = {distance_bias(values)};
  return terms;
}
AttentionTerms looking_up(const Tensor& rows, const Tensor& positions) {
  AttentionTerms terms;
  terms.offsets = {{kernels::OffsetSide::query, rows, 0}};
  terms.query_positions = terms.key_positions = positions;
  return terms;
}

struct Refusal {
  std::function<void()> call;
  const char* says;
};

const Refusal refusals[] = {
    {[] { add(floats({2}), doubles({2})); }, "add: types f32 and f64 differ"},
    {[] {
       subtract(floats({2, 3}), floats({2}));
     },
     "subtract: shapes [2, 3] and [2] do not broadcast: 3 against 2 on axis -1"},
    {[] { multiply(integers({2}), integers({2})); }, "expected a tensor of f32 or f64, got i32"},
    {[] { exp(integers({2})); }, "expected a tensor of f32 or f64, got i32"},

    {[] { sum(floats({2}), {1}); }, "sum: axis 1 is outside a tensor of 1 axes"},
    {[] { mean(floats({2}), {-2}); }, "mean: axis -2 is outside a tensor of 1 axes"},
    {[] {
       mean(floats({2, 0}), {1});
     },
     "mean: no elements along the reduced axes of shape [2, 0]"},
    {[] {
       maximum(floats({2, 0}), -1);
     },
     "maximum: no elements along axis -1 of shape [2, 0]"},
    {[] { cumulative_sum(floats({2}), 1); }, "cumulative_sum: axis 1 is outside a tensor of 1 axes"},
    {[] { maximum(floats({}), 0); }, "maximum: axis 0 is outside a tensor of 0 axes"},

    {[] {
       matmul(floats({3}), floats({3, 2}));
     },
     "matmul: expected matrices, got shapes [3] and [3, 2]"},
    {[] {
       matmul(floats({2, 3}), doubles({3, 2}));
     },
     "matmul: types f32 and f64 differ"},
    {[] {
       matmul(floats({2, 3}), floats({4, 2}));
     },
     "matmul: [2, 3] x [4, 2]: inner sizes 3 and 4 differ"},
    {[] {
       matmul(floats({2, 2, 3}), floats({3, 3, 2}));
     },
     "matmul: shapes [2] and [3] do not broadcast: 2 against 3 on axis -1"},
    {[] {
       linear(floats({2, 3}), floats({5, 4}), Tensor());
     },
     "linear: x [2, 3] and weight [5, 4] do not fit"},
    {[] {
       linear(floats({2, 4}), floats({5, 4}), floats({4}));
     },
     "linear: bias [4] and weight [5, 4] do not fit"},
    {[] {
       linear(floats({2, 4}), doubles({5, 4}), Tensor());
     },
     "a tensor of f64 was read as f32"},

    {[] { softmax(floats({})); }, "softmax: expected at least one axis"},
    {[] {
       cross_entropy(floats({2, 5}), integers({3}));
     },
     "cross_entropy: logits [2, 5] need i32 targets of that shape less the last axis, got i32 [3]"},
    {[] {
       cross_entropy(floats({2, 5}), floats({2}));
     },
     "cross_entropy: logits [2, 5] need i32 targets of that shape less the last axis, got f32 [2]"},
    {[] { cross_entropy(floats({}), integers({})); },
     "cross_entropy: logits [] need i32 targets of that shape less the last axis, got i32 []"},
    {[] {
       cross_entropy(floats({2, 5}), integers({2}, 5));
     },
     "cross_entropy: target 5 is outside a vocabulary of 5"},

    {[] {
       layer_norm(floats({2, 3}), floats({2}), floats({3}));
     },
     "layer_norm: x [2, 3] and a parameter of shape [2] do not fit"},
    {[] {
       layer_norm(floats({2, 3}), floats({3}), floats({1, 3}));
     },
     "layer_norm: x [2, 3] and a parameter of shape [1, 3] do not fit"},
    {[] {
       layer_norm(floats({2, 0}), floats({0}), floats({0}));
     },
     "layer_norm: x [2, 0] and a parameter of shape [0] do not fit"},
    {[] { rms_norm(floats({}), floats({})); }, "rms_norm: x [] and a parameter of shape [] do not fit"},

    {[] {
       reshape(floats({2, 3}), {4});
     },
     "reshape: [2, 3] has 6 elements, [4] has 4"},
    {[] {
       reshape(floats({2, 3}), {4, -1});
     },
     "reshape: [2, 3] does not divide into [4, -1]"},
    {[] {
       reshape(floats({0}), {0, -1});
     },
     "reshape: [0] does not divide into [0, -1]"},
    {[] {
       reshape(floats({2, 3}), {-1, -1, -1});
     },
     "reshape: [-1, -1, -1] is not a shape: one extent may be -1, none less"},
    {[] {
       reshape(floats({2, 3}), {-2, -3});
     },
     "reshape: [-2, -3] is not a shape: one extent may be -1, none less"},
    {[] {
       permute(floats({2, 3}), {0});
     },
     "permute: 1 axes given for shape [2, 3]"},
    {[] {
       permute(floats({2, 3}), {1, -1});
     },
     "permute: axis -1 is named twice"},
    {[] {
       permute(floats({2, 3}), {0, 2});
     },
     "permute: axis 2 is outside a tensor of 2 axes"},
    {[] { transpose(floats({2})); }, "transpose: expected at least two axes, got shape [2]"},
    {[] {
       slice(floats({2, 3}), 1, 1, 4);
     },
     "slice: 1:4:1 is outside axis 1 of shape [2, 3]"},
    {[] {
       slice(floats({2, 3}), 1, -1, 2);
     },
     "slice: -1:2:1 is outside axis 1 of shape [2, 3]"},
    {[] {
       slice(floats({2, 3}), 1, 2, 1);
     },
     "slice: 2:1:1 is outside axis 1 of shape [2, 3]"},
    {[] {
       slice(floats({2, 3}), 1, 0, 3, 0);
     },
     "slice: 0:3:0 is outside axis 1 of shape [2, 3]"},
    {[] { concatenate({}, 0); }, "concatenate: no tensors given"},
    {[] {
       concatenate({floats({2, 3}), floats({3, 3})}, 1);
     },
     "concatenate: [2, 3] and [3, 3] differ off axis 1 or in type"},
    {[] {
       concatenate({floats({2, 3}), floats({2})}, 0);
     },
     "concatenate: [2, 3] and [2] differ off axis 0 or in type"},
    {[] {
       concatenate({floats({2}), doubles({2})}, 0);
     },
     "concatenate: [2] and [2] differ off axis 0 or in type"},
    {[] { broadcast_to(floats({3}), {2}); }, "broadcast_to: shapes [3] and [2] do not broadcast: 3 against 2 on axis -1"},
    {[] {
       broadcast_to(floats({2, 3}), {1, 3});
     },
     "broadcast_to: [2, 3] does not repeat to [1, 3]"},

    {[] {
       gather(floats({2, 3}), 2, integers({1}));
     },
     "gather: axis 2 is outside a tensor of 2 axes"},
    {[] {
       gather(floats({2, 3}), 0, floats({1}));
     },
     "gather: expected i32 indices, got f32"},
    {[] {
       gather(floats({2, 3}), 0, integers({1}, 2));
     },
     "gather: index 2 is outside axis 0 of shape [2, 3]"},
    {[] {
       gather(floats({2, 3}), -1, integers({1}, -1));
     },
     "gather: index -1 is outside axis -1 of shape [2, 3]"},
    {[] { embedding(floats({3}), integers({1})); }, "embedding: expected a table of two axes, got shape [3]"},
    {[] {
       embedding(floats({7, 2}), integers({1}, 7));
     },
     "gather: index 7 is outside axis 0 of shape [7, 2]"},
    {[] { masked_fill(floats({2}), floats({2}), 0); }, "masked_fill: expected an i32 mask, got f32"},
    {[] {
       masked_fill(floats({1, 3}), integers({2, 3}), 0);
     },
     "masked_fill: mask [2, 3] does not broadcast to [1, 3]"},
    {[] { masked_fill(floats({3}), integers({2}), 0); },
     "masked_fill: shapes [3] and [2] do not broadcast: 3 against 2 on axis -1"},
    {[] { dropout(floats({2}), 1.0, Random(0).stream("dropout")); }, "dropout: expected a probability in [0, 1), got 1"},
    {[] { dropout(floats({2}), -0.5, Random(0).stream("dropout")); }, "dropout: expected a probability in [0, 1), got -0.5"},

    {[] {
       attention(floats({2, 12}), 2, {});
     },
     "attention: qkv [2, 12] does not split into q, k, v of 2 heads"},
    {[] {
       attention(floats({2, 3, 12}), 0, {});
     },
     "attention: qkv [2, 3, 12] does not split into q, k, v of 0 heads"},
    {[] {
       attention(floats({2, 3, 12}), 5, {});
     },
     "attention: qkv [2, 3, 12] does not split into q, k, v of 5 heads"},
    {[] {
       attention_reference(floats({2, 3, 12}), 5, {});
     },
     "attention: qkv [2, 3, 12] does not split into q, k, v of 5 heads"},
    {[] {
       attend(rotating(floats({2, 1}), floats({2, 1})));
     },
     "attention: rotation tables [2, 1] and [2, 1] do not fit 2 sequences of length 3 and head width 2"},
    {[] {
       attend(rotating(floats({3, 2}), floats({3, 2})));
     },
     "attention: rotation tables [3, 2] and [3, 2] do not fit 2 sequences of length 3 and head width 2"},
    {[] {
       attend(rotating(floats({3, 1}), floats({3, 2})));
     },
     "attention: rotation tables [3, 1] and [3, 2] do not fit 2 sequences of length 3 and head width 2"},
    {[] {
       attend(rotating(doubles({3, 1}), doubles({3, 1})));
     },
     "a tensor of f64 was read as f32"},
    {[] {
       attend(biased(doubles({2, 5})));
     },
     "attention: bias f64 and queries f32 differ in type"},
    {[] {
       attend(biased(floats({2, 3})));
     },
     "attention: a distance bias [2, 3] does not cover 2 heads, 3 queries and 3 keys"},
    {[] {
       attend(biased(floats({1, 5})));
     },
     "attention: a distance bias [1, 5] does not cover 2 heads, 3 queries and 3 keys"},
    {[] {
       attend(looking_up(floats({3, 5, 2}), integers({1, 3})));
     },
     "attention: offset vectors [3, 5, 2] do not fit 2 heads of width 2"},
    {[] {
       attend(looking_up(floats({1, 5, 2}), integers({1, 4})));
     },
     "attention: positions [1, 4] do not fit 2 sequences of length 3"},
    {[] {
       AttentionTerms terms = rotating(floats({3, 1}), floats({3, 1}));
       terms.growth = {doubles({1}), doubles({2, 3}), doubles({2, 3})};
       attend(terms);
     },
     "rotation: 6 positions do not fit tables [3, 1]"},
    {[] {
       AttentionTerms terms = rotating(floats({2, 3, 1}), floats({2, 3, 1}));
       terms.growth = {doubles({1}), doubles({3}), doubles({2, 3})};
       attend(terms);
     },
     "rotation: 3 positions do not fit tables [2, 3, 1]"},
    {[] {
       AttentionTerms terms = rotating(floats({3, 1}), floats({3, 1}));
       terms.key_rotation = rotating(floats({2, 3, 1}), floats({2, 3, 1})).key_rotation;
       terms.growth = {doubles({1}), doubles({3}), doubles({2, 3})};
       attend(terms);
     },
     "rotation: 1 centres do not fit positions [2, 3]"},
    {[] { distance_bias(floats({5})); }, "distance_bias: expected values [H, queries + keys - 1], got [5]"},
    {[] {
       position_bias(floats({2, 3}), -1, integers({1, 2}), integers({1, 2}, 2));
     },
     "position_bias: distances -2 to -2 are not within the 3 values from -1 on"},
    {[] {
       position_bias(floats({2, 3}), -1, integers({2}), integers({1, 2}));
     },
     "position_bias: expected values [H, N] and positions [S, T], got [2, 3], [2] and [1, 2]"},
    {[] {
       pick(floats({2, 3}), integers({3, 4}));
     },
     "pick: expected indices of the leading axes of shape [2, 3], got [3, 4]"},
    {[] {
       pick(floats({2, 3}), integers({2, 4}, 3));
     },
     "pick: index 3 is outside the last axis of shape [2, 3]"},
    {[] {
       pick(floats({2, 3}), floats({2, 4}));
     },
     "pick: expected i32 indices, got f32"},
};

class Message : public testing::TestWithParam<Refusal> {};

TEST_P(Message, SaysWhatIsWrong) { EXPECT_EQ(message(GetParam().call), GetParam().says); }

INSTANTIATE_TEST_SUITE_P(Operations, Message, testing::ValuesIn(refusals),
                         [](const auto& info) { return "refusal_" + std::to_string(info.index); });

}  // namespace
}  // namespace ropewalk
