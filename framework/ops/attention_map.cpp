#include <cmath>

#include "framework/ops/attention.hpp"
#include "framework/ops/attention_dense.hpp"
#include "framework/ops/softmax.hpp"

namespace ropewalk {
namespace {

using kernels::Range;

/// Copies the numbers of some queries [B, H, q, k] to their place in a map [B, H, T, T]; −infinity, which hides, stays 0 there.
void place(const Tensor& part, const Tensor& map, Range queries) {
  const Tensor source = packed(part);
  const Index heads = map.dim(0) * map.dim(1), length = map.dim(2), count = queries.size(), keys = source.dim(3);
  dispatch(map.type(), [&]<class T>(T) {
    for (Index row = 0; row < heads * count; ++row) {
      const T* from = source.data<T>() + row * keys;
      T* to = map.data<T>() + (row / count * length + queries.begin + row % count) * length;
      for (Index key = 0; key < keys; ++key) to[key] = from[key] == -INFINITY ? 0 : from[key];
    }
  });
}

}  // namespace

AttentionMap attention_map(const Tensor& qkv, Index heads, const AttentionTerms& terms) {
  check_packed(qkv, heads);
  const NoGradient scope;
  const HeadOperands operands = split_heads(qkv, heads);
  const Tensors inputs = inputs_of(terms);
  const Index batch = qkv.dim(0), length = qkv.dim(1);
  const auto blank = [&] { return Tensor::zeros({batch, heads, length, length}, qkv.type()); };
  AttentionMap map{blank(), blank(), {}};
  for (const Range cut : query_slices(batch, heads, length, length)) {
    const Tensor scores = dense_scores(operands, terms, inputs, cut), bias = dense_bias(operands, terms, inputs, cut);
    place(scores, map.scores, cut);
    place(softmax(scores), map.weights, cut);
    if (!bias.defined()) continue;
    if (!map.bias.defined()) map.bias = blank();
    place(bias, map.bias, cut);
  }
  return map;
}

}  // namespace ropewalk
