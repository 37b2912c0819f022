// Gradient of attention: the scores are computed again, block by block (Dao et al. 2022, FlashAttention, algorithm 4).
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/score_block.hpp"
#include "framework/kernels/simd/scratch.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

template <class T>
struct Workspace {
  Turns<T> key_turns, query_turns;
  OffsetTerms<T> offsets;
  T* keys;                // [keys, padded], rotated
  T* values;              // [keys, padded]
  T* dkeys;               // [keys, padded], of the rotated keys
  T* dvalues;             // [keys, padded]
  T* queries;             // [kQueryBlock, padded], rotated and scaled
  T* doutput;             // [kQueryBlock, padded]
  T* dqueries;            // [kQueryBlock, padded], of the rotated and scaled queries
  T* transposed_queries;  // [width, kQueryBlock]
  T* transposed_doutput;  // [width, kQueryBlock]
  T* log_sum_exp;         // [kQueryBlock]
  T* projection;          // [kQueryBlock], output . doutput
  T* weights;             // [kKeyBlock, kQueryBlock]
  T* dscores;             // [kKeyBlock, kQueryBlock]
  T* unturned_keys;       // [keys, padded]
  T* dunturned_keys;      // [keys, padded]
  T* unturned_queries;    // [kQueryBlock, padded], scaled
  T* dunturned_queries;   // [kQueryBlock, padded], of the scaled queries

  Workspace(Layout<T>& layout, const Attention<T>& a, const AttentionGradient<T>& g)
      : key_turns(layout, a.key_rotation, a.keys),
        query_turns(layout, a.query_rotation, a.queries),
        offsets(layout, a, {0, a.batch}, {0, a.queries}, g.doffsets) {
    const Index padded = round_up_to_lanes<T>(a.width);
    for (T** of_keys : {&keys, &values, &dkeys, &dvalues}) *of_keys = layout.take(a.keys * padded);
    for (T** of_queries : {&queries, &doutput, &dqueries}) *of_queries = layout.take(kQueryBlock * padded);
    for (T** transposed : {&transposed_queries, &transposed_doutput}) *transposed = layout.take(a.width * kQueryBlock);
    for (T** line : {&log_sum_exp, &projection}) *line = layout.take(kQueryBlock);
    for (T** block : {&weights, &dscores}) *block = layout.take(kKeyBlock * kQueryBlock);
    const auto unturned_key = [&](T* turned) {
      return offsets.unturned(layout, OffsetSide::key, a.key_rotation, a.keys * padded, turned);
    };
    const auto unturned_query = [&](T* turned) {
      return offsets.unturned(layout, OffsetSide::query, a.query_rotation, kQueryBlock * padded, turned);
    };
    unturned_keys = unturned_key(keys);
    dunturned_keys = unturned_key(dkeys);
    unturned_queries = unturned_query(queries);
    dunturned_queries = unturned_query(dqueries);
  }
};

template <class T>
class HeadGradient {
 public:
  HeadGradient(const Attention<T>& a, const AttentionGradient<T>& g, const Workspace<T>& w, Index batch, Index head)
      : a_(a), g_(g), w_(w), batch_(batch), head_(head), padded_(round_up_to_lanes<T>(a.width)) {}

  void run() {
    const Range all{0, a_.keys};
    const HeadRows<const T> keys = rows_of(a_.key, a_.key_strides, batch_, head_);
    const HeadRows<T> dkeys = rows_of(g_.dkey, a_.key_strides, batch_, head_);
    pack_rows(keys, all, a_.width, w_.key_turns, T(1), w_.keys);
    pack_unturned(keys, all, a_.width, T(1), w_.keys, w_.unturned_keys);
    pack_rows(rows_of(a_.value, a_.value_strides, batch_, head_), all, a_.width, Turns<T>(), T(1), w_.values);
    for (Index i = 0; i < a_.keys * padded_; ++i) w_.dkeys[i] = w_.dvalues[i] = 0;
    clear_unturned(w_.dunturned_keys, w_.dkeys, a_.keys * padded_);
    for_blocks({0, a_.queries}, kQueryBlock, [&](Range queries) { query_block(queries); });
    unpack_rows(w_.dkeys, all, a_.width, w_.key_turns, T(1), dkeys);
    add_unturned(w_.dunturned_keys, w_.dkeys, all, a_.width, T(1), dkeys);
    unpack_rows(w_.dvalues, all, a_.width, Turns<T>(), T(1), rows_of(g_.dvalue, a_.value_strides, batch_, head_));
  }

 private:
  void query_block(Range queries) {
    begin(queries);
    for_blocks({0, visible_keys(a_, queries.end - 1)}, kKeyBlock, [&](Range keys) {
      const Block block = block_of(a_, queries, keys);
      recompute(block);
      propagate(block);
    });
    const HeadRows<T> dqueries = rows_of(g_.dquery, a_.query_strides, batch_, head_);
    unpack_rows(w_.dqueries, queries, a_.width, w_.query_turns, a_.scale, dqueries);
    add_unturned(w_.dunturned_queries, w_.dqueries, queries, a_.width, a_.scale, dqueries);
  }

  void begin(Range queries) {
    const HeadRows<const T> rows = rows_of(a_.query, a_.query_strides, batch_, head_);
    pack_rows(rows, queries, a_.width, w_.query_turns, a_.scale, w_.queries);
    pack_unturned(rows, queries, a_.width, a_.scale, w_.queries, w_.unturned_queries);
    pack_rows(rows_of(g_.doutput, a_.output_strides, batch_, head_), queries, a_.width, Turns<T>(), T(1), w_.doutput);
    pack_transposed(w_.queries, queries.size(), a_.width, w_.transposed_queries, kQueryBlock);
    pack_transposed(w_.doutput, queries.size(), a_.width, w_.transposed_doutput, kQueryBlock);
    for (Index i = 0; i < kQueryBlock * padded_; ++i) w_.dqueries[i] = 0;
    clear_unturned(w_.dunturned_queries, w_.dqueries, kQueryBlock * padded_);
    const T* log_sum_exp = a_.log_sum_exp + (batch_ * a_.heads + head_) * a_.queries;
    for (Index r = 0; r < kQueryBlock; ++r) w_.log_sum_exp[r] = r < queries.size() ? log_sum_exp[queries.begin + r] : T(0);
    project(queries);
  }

  void project(Range queries) {
    const HeadRows<const T> output = rows_of<const T>(a_.output, a_.output_strides, batch_, head_);
    for (Index r = 0; r < queries.size(); r += kLanes<T>) {
      Vector<T> products[kLanes<T>] = {};
      for (Index i = 0; i < kLanes<T> && r + i < queries.size(); ++i) {
        const T* row = output.data + (queries.begin + r + i) * output.stride;
        const T* drow = w_.doutput + (r + i) * padded_;
        for_vectors<T>(a_.width, [&](Index c, auto lanes) { products[i] += load(row + c, lanes) * load(drow + c); });
      }
      store(w_.projection + r, sums_across<T>(products));
    }
  }

  /// The block's weights and the gradient of its scores.
  void recompute(const Block& block) {
    const Index start = block.keys.begin * padded_;
    score_block<T>(a_, batch_, head_, block,
                   {w_.transposed_queries, w_.keys + start, w_.unturned_queries, w_.unturned_keys + start}, w_.offsets,
                   w_.weights);
    multiply_transposed(block, a_.width, w_.values + start, w_.transposed_doutput, w_.dscores);
    w_.offsets.add_to_dweights(block, w_.doutput, w_.dscores);
    for_lanes<T>(block, [&](Index column, Index rows) { weigh(column, rows); });
    fill_hidden(block, T(0), w_.dscores);
    if (!g_.bias) return;
    for_computed_entries(block, w_.dscores, [&](Range queries, Range keys, const T* dscores) {
      g_.bias->collect(batch_, head_, queries, keys, dscores, kQueryBlock);
    });
  }

  /// weights = exp(scores - log_sum_exp); dscores = weights * (dweights - output . doutput).
  void weigh(Index column, Index rows) {
    const Vector<T> shift = finite_shifts<T>(load(w_.log_sum_exp + column)), projection = load(w_.projection + column);
    for (Index j = 0; j < rows; ++j) {
      T* weights = w_.weights + j * kQueryBlock + column;
      T* dscores = w_.dscores + j * kQueryBlock + column;
      const Vector<T> weight = exp_below_zero(load(weights) - shift);
      store(weights, weight);
      store(dscores, weight * (load(dscores) - projection));
    }
  }

  void propagate(const Block& block) {
    const Index start = block.keys.begin * padded_;
    add_to_keys(block, padded_, w_.weights, w_.doutput, w_.dvalues + start);
    add_to_keys(block, padded_, w_.dscores, w_.queries, w_.dkeys + start);
    add_to_queries(block, padded_, w_.dscores, w_.keys + start, w_.dqueries);
    w_.offsets.propagate(
        block, w_.weights, w_.dscores,
        {w_.unturned_queries, w_.unturned_keys + start, w_.doutput, w_.dunturned_queries, w_.dunturned_keys + start});
  }

  const Attention<T>& a_;
  const AttentionGradient<T>& g_;
  const Workspace<T>& w_;
  Index batch_, head_, padded_;
};

}  // namespace

template <class T>
void attention_gradient(const Attention<T>& a, const AttentionGradient<T>& gradient) {
  auto workspace = in_scratch<Workspace<T>, T>(a, gradient);
  for (Index b = 0; b < a.batch; ++b) {
    workspace.key_turns.prepare(b, {0, a.keys});
    workspace.query_turns.prepare(b, {0, a.queries});
    for (Index h = 0; h < a.heads; ++h) {
      workspace.offsets.begin(b, h);
      HeadGradient<T>(a, gradient, workspace, b, h).run();
      workspace.offsets.finish(h);
    }
  }
}

template void attention_gradient(const Attention<float>&, const AttentionGradient<float>&);
template void attention_gradient(const Attention<double>&, const AttentionGradient<double>&);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
