// Gradient of attention: the scores are computed again, block by block (Dao et al. 2022, FlashAttention, algorithm 4).
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/score_block.hpp"
#include "framework/kernels/simd/scratch.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

template <class T>
struct Workspace {
  T* keys;               // [keys, padded], rotated
  T* transposed_keys;    // blocks of [width, kKeyBlock]
  T* transposed_values;  // blocks of [width, kKeyBlock]
  T* dkeys;              // [keys, padded], of the rotated keys
  T* dvalues;            // [keys, padded]
  T* queries;            // [kQueryBlock, padded], rotated and scaled
  T* dqueries;           // [kQueryBlock, padded], of the rotated and scaled queries
  T* doutput;            // [kQueryBlock, padded]
  T* weights;            // [kQueryBlock, kKeyBlock]
  T* dscores;            // [kQueryBlock, kKeyBlock]

  Workspace(Layout<T>& layout, const Attention<T>& a) {
    const Index padded = round_up_to_lanes<T>(a.width);
    keys = layout.take(a.keys * padded);
    transposed_keys = layout.take(transposed_size(a.keys, a.width));
    transposed_values = layout.take(transposed_size(a.keys, a.width));
    dkeys = layout.take(a.keys * padded);
    dvalues = layout.take(a.keys * padded);
    queries = layout.take(kQueryBlock * padded);
    dqueries = layout.take(kQueryBlock * padded);
    doutput = layout.take(kQueryBlock * padded);
    weights = layout.take(kQueryBlock * kKeyBlock);
    dscores = layout.take(kQueryBlock * kKeyBlock);
  }
};

template <class T>
T dot(const T* x, const T* y, Index n) {
  Vector<T> products{};
  for_vectors<T>(n, [&](Index i, auto lanes) { products += load(x + i, lanes) * load(y + i, lanes); });
  return sum_across<T>(products);
}

template <class T>
class HeadGradient {
 public:
  HeadGradient(const Attention<T>& a, const AttentionGradient<T>& g, const Workspace<T>& w, Index batch, Index head)
      : a_(a), g_(g), w_(w), batch_(batch), head_(head), padded_(round_up_to_lanes<T>(a.width)) {}

  void run() {
    pack_keys_and_values();
    for_blocks(a_.queries, kQueryBlock, [&](Range queries) { query_block(queries); });
    const Range all{0, a_.keys};
    unpack_rows(w_.dkeys, all, a_.width, a_.key_rotation, T(1), rows_of(g_.dkey, a_.key_strides, batch_, head_));
    unpack_rows(w_.dvalues, all, a_.width, Rotation<T>{}, T(1), rows_of(g_.dvalue, a_.value_strides, batch_, head_));
  }

 private:
  void pack_keys_and_values() {
    const Range all{0, a_.keys};
    pack_rows(rows_of(a_.value, a_.value_strides, batch_, head_), all, a_.width, Rotation<T>{}, T(1), w_.dvalues);
    transpose_blocks(w_.dvalues, a_.keys, a_.width, w_.transposed_values);
    pack_rows(rows_of(a_.key, a_.key_strides, batch_, head_), all, a_.width, a_.key_rotation, T(1), w_.keys);
    transpose_blocks(w_.keys, a_.keys, a_.width, w_.transposed_keys);
    for (Index i = 0; i < a_.keys * padded_; ++i) w_.dkeys[i] = w_.dvalues[i] = 0;
  }

  void query_block(Range queries) {
    pack_rows(rows_of(a_.query, a_.query_strides, batch_, head_), queries, a_.width, a_.query_rotation, a_.scale, w_.queries);
    pack_rows(rows_of(g_.doutput, a_.output_strides, batch_, head_), queries, a_.width, Rotation<T>{}, T(1), w_.doutput);
    for (Index i = 0; i < kQueryBlock * padded_; ++i) w_.dqueries[i] = 0;
    for_blocks(visible_keys(a_, queries.end - 1), kKeyBlock, [&](Range keys) {
      recompute(queries, keys);
      propagate(queries, keys);
    });
    unpack_rows(w_.dqueries, queries, a_.width, a_.query_rotation, a_.scale, rows_of(g_.dquery, a_.query_strides, batch_, head_));
  }

  /// The block's weights and the gradient of its scores.
  void recompute(Range queries, Range keys) {
    const Index offset = transposed_offset(keys.begin, a_.width);
    score_block(a_, batch_, head_, queries, keys, w_.queries, w_.transposed_keys + offset, w_.weights);
    multiply_block(w_.doutput, w_.transposed_values + offset, queries, keys, a_.width, w_.dscores);
    for (Index i = queries.begin; i < queries.end; ++i) recompute_row(i, queries, round_up_to_lanes<T>(keys.end - keys.begin));
    fill_hidden(a_, queries, keys, T(0), w_.dscores);
    if (a_.bias) a_.bias->collect(batch_, head_, queries, keys, w_.dscores, kKeyBlock);
  }

  /// weights = exp(scores - log_sum_exp); dscores = weights * (dweights - output . doutput).
  void recompute_row(Index i, Range queries, Index columns) {
    const Index r = i - queries.begin;
    T* row = w_.weights + r * kKeyBlock;
    T* drow = w_.dscores + r * kKeyBlock;
    const T log_sum_exp = a_.log_sum_exp[(batch_ * a_.heads + head_) * a_.queries + i];
    const HeadRows<const T> output = rows_of<const T>(a_.output, a_.output_strides, batch_, head_);
    const T projection = dot(output.data + i * output.stride, w_.doutput + r * padded_, a_.width);
    exponentials(row, columns, finite_shift(log_sum_exp), [&](Index j, Vector<T> weight, auto lanes) {
      store(row + j, weight, lanes);
      store(drow + j, weight * (load(drow + j, lanes) - projection), lanes);
    });
  }

  void propagate(Range queries, Range keys) {
    const Index rows = queries.end - queries.begin, columns = keys.end - keys.begin, start = keys.begin * padded_;
    const auto add_product = [&](Index m, Index depth, Matrix<T> a, const T* b, T* c) {
      multiply<T, Result::add>(m, padded_, depth, a, {b, padded_}, {c, padded_});
    };
    add_product(columns, rows, {w_.weights, 1, kKeyBlock}, w_.doutput, w_.dvalues + start);
    add_product(columns, rows, {w_.dscores, 1, kKeyBlock}, w_.queries, w_.dkeys + start);
    add_product(rows, columns, {w_.dscores, kKeyBlock, 1}, w_.keys + start, w_.dqueries);
  }

  const Attention<T>& a_;
  const AttentionGradient<T>& g_;
  const Workspace<T>& w_;
  Index batch_, head_, padded_;
};

}  // namespace

template <class T>
void attention_gradient(const Attention<T>& a, const AttentionGradient<T>& gradient) {
  const auto workspace = in_scratch<Workspace<T>, T>(a);
  for (Index b = 0; b < a.batch; ++b) {
    for (Index h = 0; h < a.heads; ++h) HeadGradient<T>(a, gradient, workspace, b, h).run();
  }
}

template void attention_gradient(const Attention<float>&, const AttentionGradient<float>&);
template void attention_gradient(const Attention<double>&, const AttentionGradient<double>&);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
