#include "framework/ops/attention_dense.hpp"

#include <algorithm>
#include <cmath>

#include "framework/core/parallel.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/select.hpp"
#include "framework/ops/softmax.hpp"

namespace ropewalk {
namespace {

using kernels::OffsetSide;
using kernels::Range;

/// Scores of a slice: enough for the matrix library, few enough for memory.
constexpr Index slice_scores = 1 << 20;

/// Hands out the inputs of one term after the other.
class InputsInTurn {
 public:
  explicit InputsInTurn(const Tensors& inputs) : next_(inputs.begin()), end_(inputs.end()) {}

  Tensors take(std::size_t count) {
    check(static_cast<std::size_t>(end_ - next_) >= count, "attention: expected {} more inputs of its terms, got {}", count,
          end_ - next_);
    Tensors taken(next_, next_ + static_cast<std::ptrdiff_t>(count));
    next_ += static_cast<std::ptrdiff_t>(count);
    return taken;
  }

 private:
  Tensors::const_iterator next_, end_;
};

/// How many keys the last of some queries sees.
Index visible_keys(const AttentionTerms& terms, Range queries, Index all_queries, Index all_keys) {
  return terms.causal ? std::clamp<Index>(queries.end + all_keys - all_queries, 0, all_keys) : all_keys;
}

/// Queries of a block with the factor that the terms give them in products with keys.
Tensor with_factor(const DenseBlock& block, const Tensor& query_factor) {
  if (!query_factor.defined()) return block.query;
  const Tensor factor = slice(query_factor, -2, block.queries.begin, block.queries.end);
  return multiply(block.query, factor.rank() == 3 ? reshape(factor, {factor.dim(0), 1, factor.dim(1), 1}) : factor);
}

Tensor product_of_rotated(const DenseBlock& block, const AttentionTerms& terms) {
  RotationTables query_tables = terms.query_rotation, key_tables = terms.key_rotation;
  if (terms.growth) {
    const RotationGrowth& growth = *terms.growth;
    const std::vector<double> centres = growth.positions_of(block.queries.end - 1);
    query_tables = grown(query_tables, growth.rate, growth.query_positions, centres);
    key_tables = grown(key_tables, negate(growth.rate), growth.key_positions, centres);
  }
  const Tensor q = rotated(with_factor(block, terms.query_factor), query_tables, block.queries.begin),
               k = rotated(block.key, key_tables);
  return scale(matmul(q, transpose(k)), block.scale);
}

/// Row of an offset term for every query of the block and every key, i32 [S, q, k].
Tensor offset_rows(const OffsetTerm& term, const AttentionTerms& terms, Range queries, Index keys) {
  const Tensor query = packed(terms.query_positions), key = packed(terms.key_positions);
  const Index sequences = query.dim(0), all = query.dim(1), all_keys = key.dim(1);
  const std::int64_t high = term.low + term.rows.dim(1) - 1;
  Tensor rows = Tensor::empty({sequences, queries.size(), keys}, Type::i32);
  std::int32_t* row = rows.data<std::int32_t>();
  for (Index s = 0; s < sequences; ++s) {
    for (Index i = queries.begin; i < queries.end; ++i) {
      for (Index j = 0; j < keys; ++j) {
        const std::int64_t distance = query.data<std::int32_t>()[s * all + i] - key.data<std::int32_t>()[s * all_keys + j];
        *row++ = static_cast<std::int32_t>(std::clamp<std::int64_t>(distance, term.low, high) - term.low);
      }
    }
  }
  return rows;
}

/// The vectors that pairs of queries and keys meet, [S, h, q, k, d].
Tensor spread_rows(const OffsetTerm& term, const Tensor& rows, const AttentionTerms& terms, Range queries, Index keys) {
  const Tensor spread = gather(rows, 1, offset_rows(term, terms, queries, keys));  // [h, S, q, k, d]
  return permute(spread, {1, 0, 2, 3, 4});
}

/// x [B, H, T, d] as [B, H, T, 1, d] or [B, H, 1, T, d]
Tensor with_axis(const Tensor& x, int axis) {
  Shape shape = x.shape();
  shape.insert(shape.begin() + axis, 1);
  return reshape(x, shape);
}

Tensor offset_scores(const DenseBlock& block, const AttentionTerms& terms, const OffsetTerm& term, const Tensor& rows) {
  const Tensor spread = spread_rows(term, rows, terms, block.queries, block.keys());
  const Tensor met = term.side == OffsetSide::query ? with_axis(block.query, 3) : with_axis(block.key, 2);
  return scale(sum(multiply(met, spread), {-1}), block.scale);
}

/// Output and, beside it, what is added to the values: the two sums of the same weights.
Tensor mix(const Tensor& weights, const HeadOperands& operands, const AttentionTerms& terms, const Tensors& rows, Range queries) {
  const Index keys = weights.dim(3);
  Tensor mixed = matmul(weights, slice(operands.value, 2, 0, keys));  // [B, H, q, d]
  for (std::size_t i = 0; i < terms.offsets.size(); ++i) {
    if (terms.offsets[i].side != OffsetSide::value) continue;
    const Tensor spread = spread_rows(terms.offsets[i], rows[i], terms, queries, keys);
    mixed = add(mixed, reshape(matmul(with_axis(weights, 3), spread), mixed.shape()));
  }
  return mixed;
}

Tensor join_heads(const Tensor& x) { return reshape(permute(x, {0, 2, 1, 3}), {x.dim(0), x.dim(2), x.dim(1) * x.dim(3)}); }

Tensors offset_inputs(const AttentionTerms& terms, const Tensors& inputs) {
  return {inputs.end() - static_cast<std::ptrdiff_t>(terms.offsets.size()), inputs.end()};
}

/// Some queries with the keys that they see at most.
DenseBlock block_of(const HeadOperands& operands, const AttentionTerms& terms, Range queries) {
  const Index all_queries = operands.query.dim(2), all_keys = operands.key.dim(2);
  const Index keys = visible_keys(terms, queries, all_queries, all_keys);
  const double width = static_cast<double>(operands.query.dim(3));
  return {slice(operands.query, 2, queries.begin, queries.end),
          slice(operands.key, 2, 0, keys),
          queries,
          all_queries,
          all_keys,
          1 / std::sqrt(terms.scale_terms * width)};
}

Tensors as_leaves(const Tensors& inputs) {
  Tensors leaves;
  for (const Tensor& input : inputs) leaves.push_back(input.tracked() ? parameter(input) : input);
  return leaves;
}

/// Adds up the gradients of the slices for those inputs that are leaves.
class SlicedGradient {
 public:
  explicit SlicedGradient(const Tensors& leaves) : leaves_(leaves), sums_(leaves.size()) {}

  void add(const Tensor& loss) {
    Tensors tracked;
    for (const Tensor& leaf : leaves_) {
      if (leaf.tracked()) tracked.push_back(leaf);
    }
    const Tensors found = gradients(loss, tracked);
    auto next = found.begin();
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      if (!leaves_[i].tracked()) continue;
      sums_[i] = sums_[i].defined() ? ropewalk::add(sums_[i], *next) : *next;
      ++next;
    }
  }

  const Tensors& sums() const { return sums_; }

 private:
  Tensors leaves_, sums_;
};

}  // namespace

std::vector<Range> query_slices(Index batch, Index heads, Index queries, Index keys) {
  const Index step = std::max<Index>(1, slice_scores / std::max<Index>(1, batch * heads * keys));
  std::vector<Range> result;
  for (Index begin = 0; begin < queries; begin += step) result.push_back({begin, std::min(begin + step, queries)});
  return result;
}

void check_packed(const Tensor& qkv, Index heads) {
  check(qkv.rank() == 3 && heads > 0 && qkv.dim(2) % (3 * heads) == 0,
        "attention: qkv {} does not split into q, k, v of {} heads", qkv.shape(), heads);
}

Tensor split_heads_of(const Tensor& x, Index heads) {
  return permute(reshape(x, {x.dim(0), x.dim(1), heads, x.dim(2) / heads}), {0, 2, 1, 3});
}

HeadOperands split_heads(const Tensor& qkv, Index heads) {
  const Index batch = qkv.dim(0), length = qkv.dim(1), width = qkv.dim(2) / 3 / heads;
  const Tensor split = permute(reshape(qkv, {batch, length, 3, heads, width}), {2, 0, 3, 1, 4});  // [3, B, H, T, d]
  const auto part = [&](Index which) { return reshape(slice(split, 0, which, which + 1), {batch, heads, length, width}); };
  return {part(0), part(1), part(2)};
}

Tensors inputs_of(const AttentionTerms& terms) {
  Tensors inputs;
  const auto take = [&](const ScoreTerm& term) {
    for (const Tensor& input : term.inputs()) inputs.push_back(input);
  };
  if (terms.product) take(*terms.product);
  for (const auto& bias : terms.biases) take(*bias);
  for (const OffsetTerm& term : terms.offsets) inputs.push_back(term.rows);
  return inputs;
}

Tensor dense_scores(const HeadOperands& operands, const AttentionTerms& terms, const Tensors& inputs, Range queries) {
  const DenseBlock block = block_of(operands, terms, queries);
  InputsInTurn turn(inputs);
  Tensor scores =
      terms.product ? terms.product->dense(block, turn.take(terms.product->inputs().size())) : product_of_rotated(block, terms);
  for (const auto& bias : terms.biases) scores = add(scores, bias->dense(block, turn.take(bias->inputs().size())));
  for (const OffsetTerm& term : terms.offsets) {
    const Tensor rows = turn.take(1)[0];
    if (term.side != OffsetSide::value) scores = add(scores, offset_scores(block, terms, term, rows));
  }
  return terms.causal ? masked_fill(scores, hidden_keys(block), -INFINITY) : scores;
}

Tensor dense_bias(const HeadOperands& operands, const AttentionTerms& terms, const Tensors& inputs, Range queries) {
  const DenseBlock block = block_of(operands, terms, queries);
  InputsInTurn turn(inputs);
  if (terms.product) turn.take(terms.product->inputs().size());
  Tensor sum;
  for (const auto& bias : terms.biases) {
    const Tensors own = turn.take(bias->inputs().size());
    if (bias->reads_content()) continue;
    const Tensor added = bias->dense(block, own);
    sum = sum.defined() ? add(sum, added) : added;
  }
  if (!sum.defined()) return sum;
  const Tensor whole = broadcast_to(sum, {block.query.dim(0), block.query.dim(1), queries.size(), block.keys()});
  return terms.causal ? masked_fill(whole, hidden_keys(block), 0) : whole;
}

Tensor dense_attention(const HeadOperands& operands, const AttentionTerms& terms, const Tensors& inputs, Range queries,
                       const SpreadSums* sums) {
  const Tensor scores = dense_scores(operands, terms, inputs, queries);
  if (sums) sums->add(scores, queries);
  const Tensor weights = softmax(scores);
  return join_heads(mix(weights, operands, terms, offset_inputs(terms, inputs), queries));
}

Tensor sliced_attention(const HeadOperands& operands, const AttentionTerms& terms, const SpreadSums* sums) {
  const NoGradient scope;
  const Tensors inputs = inputs_of(terms);
  const std::vector<Range> cuts =
      query_slices(operands.query.dim(0), operands.query.dim(1), operands.query.dim(2), operands.key.dim(2));
  Tensors parts(cuts.size());
  parallel(static_cast<Index>(cuts.size()), [&](Index i) {
    const NoGradient on_this_thread;
    parts[static_cast<std::size_t>(i)] = dense_attention(operands, terms, inputs, cuts[static_cast<std::size_t>(i)], sums);
  });
  return parts.size() == 1 ? parts[0] : concatenate(parts, 1);
}

Tensor sliced_attention(const Tensor& qkv, Index heads, const AttentionTerms& terms) {
  Tensors inputs{qkv};
  for (const Tensor& input : inputs_of(terms)) inputs.push_back(input);
  const Tensor y = sliced_attention(split_heads(qkv.detach(), heads), terms);
  return record(y, inputs, [=](const Tensor& dy) {
    const Recording scope;
    const Tensors leaves = as_leaves(inputs);
    SlicedGradient gradient(leaves);
    for (const Range cut : query_slices(qkv.dim(0), heads, qkv.dim(1), qkv.dim(1))) {
      const Tensor part = dense_attention(split_heads(leaves[0], heads), terms, {leaves.begin() + 1, leaves.end()}, cut);
      gradient.add(sum(multiply(part, slice(dy, 1, cut.begin, cut.end))));
    }
    return gradient.sums();
  });
}

}  // namespace ropewalk
