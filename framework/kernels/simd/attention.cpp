// Attention in blocks with a running maximum and sum (Dao et al. 2022, FlashAttention, algorithm 1).
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
  T* queries;             // [kQueryBlock, padded], rotated and scaled
  T* transposed_queries;  // [width, kQueryBlock]
  T* output;              // [kQueryBlock, padded], not yet divided by the sum
  T* scores;              // [kKeyBlock, kQueryBlock]
  T* maximum;             // [kQueryBlock]
  T* sum;                 // [kQueryBlock]
  T* factor;              // [kQueryBlock]
  T* unturned_keys;       // [keys, padded]
  T* unturned_queries;    // [kQueryBlock, padded], scaled

  Workspace(Layout<T>& layout, const Attention<T>& a, Range sequences, Range some_queries)
      : key_turns(layout, a.key_rotation, a.keys),
        query_turns(layout, a.query_rotation, a.queries),
        offsets(layout, a, sequences, some_queries, {}) {
    const Index padded = round_up_to_lanes<T>(a.width);
    keys = layout.take(a.keys * padded);
    values = layout.take(a.keys * padded);
    queries = layout.take(kQueryBlock * padded);
    transposed_queries = layout.take(a.width * kQueryBlock);
    output = layout.take(kQueryBlock * padded);
    scores = layout.take(kKeyBlock * kQueryBlock);
    maximum = layout.take(kQueryBlock);
    sum = layout.take(kQueryBlock);
    factor = layout.take(kQueryBlock);
    unturned_keys = offsets.unturned(layout, OffsetSide::key, a.key_rotation, a.keys * padded, keys);
    unturned_queries = offsets.unturned(layout, OffsetSide::query, a.query_rotation, kQueryBlock * padded, queries);
  }
};

template <class T>
class HeadForward {
 public:
  HeadForward(const Attention<T>& a, const Workspace<T>& w, Index batch, Index head)
      : a_(a), w_(w), batch_(batch), head_(head), padded_(round_up_to_lanes<T>(a.width)) {}

  void run(Range queries) {
    const Range keys{0, visible_keys(a_, queries.end - 1)};
    pack_rows(rows_of(a_.key, a_.key_strides, batch_, head_), keys, a_.width, w_.key_turns, T(1), w_.keys);
    pack_unturned(rows_of(a_.key, a_.key_strides, batch_, head_), keys, a_.width, T(1), w_.keys, w_.unturned_keys);
    pack_rows(rows_of(a_.value, a_.value_strides, batch_, head_), keys, a_.width, Turns<T>(), T(1), w_.values);
    for_blocks(queries, kQueryBlock, [&](Range block) { query_block(block); });
  }

 private:
  void query_block(Range queries) {
    begin(queries);
    for_blocks({0, visible_keys(a_, queries.end - 1)}, kKeyBlock, [&](Range keys) {
      const Block block = block_of(a_, queries, keys);
      const Index start = keys.begin * padded_;
      score_block<T>(a_, batch_, head_, block,
                     {w_.transposed_queries, w_.keys + start, w_.unturned_queries, w_.unturned_keys + start}, w_.offsets,
                     w_.scores);
      for_lanes<T>(block, [&](Index column, Index rows) { weigh(column, rows); });
      add_to_queries(block, padded_, w_.scores, w_.values + start, w_.output);
      w_.offsets.add_to_output(block, w_.scores, w_.output);
    });
    finish(queries);
  }

  void begin(Range queries) {
    pack_rows(rows_of(a_.query, a_.query_strides, batch_, head_), queries, a_.width, w_.query_turns, a_.scale, w_.queries);
    pack_unturned(rows_of(a_.query, a_.query_strides, batch_, head_), queries, a_.width, a_.scale, w_.queries,
                  w_.unturned_queries);
    pack_transposed(w_.queries, queries.size(), a_.width, w_.transposed_queries, kQueryBlock);
    for (Index i = 0; i < kQueryBlock * padded_; ++i) w_.output[i] = 0;
    for (Index r = 0; r < kQueryBlock; ++r) {
      w_.maximum[r] = -kInfinity<T>;
      w_.sum[r] = 0;
    }
  }

  /// Turns a vector of queries' scores into exponentials relative to the largest so far, to which earlier sums are rescaled.
  void weigh(Index column, Index rows) {
    T* scores = w_.scores + column;
    const Vector<T> before = load(w_.maximum + column);
    const Vector<T> now = largest(scores, rows, before), shift = finite_shifts<T>(now);
    const Vector<T> factor = exp_below_zero(before - shift);
    // A lane whose maximum is infinite has a factor that is not a number; the others are rescaled all the same.
    const Vector<T> changed = factor == 1 ? Vector<T>{} : broadcast(T(1));
    if (maximum_across<T>(before) > -kInfinity<T> && maximum_across<T>(changed) > 0) rescale(column, factor);
    Vector<T> sum = load(w_.sum + column) * factor;
    for (Index j = 0; j < rows; ++j) {
      const Vector<T> e = exp_below_zero(load(scores + j * kQueryBlock) - shift);
      store(scores + j * kQueryBlock, e);
      sum += e;
    }
    store(w_.maximum + column, now);
    store(w_.sum + column, sum);
  }

  static Vector<T> largest(const T* scores, Index rows, Vector<T> even) {
    Vector<T> odd = even;
    for (Index j = 0; j + 1 < rows; j += 2) {
      even = larger(load(scores + j * kQueryBlock), even);
      odd = larger(load(scores + (j + 1) * kQueryBlock), odd);
    }
    if (rows % 2 == 1) even = larger(load(scores + (rows - 1) * kQueryBlock), even);
    return larger(odd, even);
  }

  void rescale(Index column, Vector<T> factor) {
    store(w_.factor, factor);
    for (Index i = 0; i < kLanes<T>; ++i) {
      T* row = w_.output + (column + i) * padded_;
      for (Index c = 0; c < padded_; c += kLanes<T>) store(row + c, load(row + c) * w_.factor[i]);
    }
  }

  void finish(Range queries) {
    for (Index r = 0; r < kQueryBlock; r += kLanes<T>) {
      const Vector<T> sum = load(w_.sum + r);
      store(w_.factor + r, sum == 0 ? Vector<T>{} : 1 / sum);
      store(w_.maximum + r, sum == 0 ? broadcast(-kInfinity<T>) : load(w_.maximum + r) + log_above_one(sum));
    }
    T* log_sum_exp = a_.log_sum_exp + (batch_ * a_.heads + head_) * a_.queries + queries.begin;
    for (Index r = 0; r < queries.size(); ++r) log_sum_exp[r] = w_.maximum[r];
    const HeadRows<T> output = rows_of(a_.output, a_.output_strides, batch_, head_);
    T* first = output.data + queries.begin * output.stride;
    for_vectors<T>(a_.width, [&](Index c, auto lanes) {
      for (Index r = 0; r < queries.size(); ++r) {
        store(first + r * output.stride + c, load(w_.output + r * padded_ + c) * w_.factor[r], lanes);
      }
    });
  }

  const Attention<T>& a_;
  const Workspace<T>& w_;
  Index batch_, head_, padded_;
};

}  // namespace

template <class T>
void attention(const Attention<T>& a) {
  const Range queries = a.only ? a.only->queries : Range{0, a.queries}, keys{0, visible_keys(a, queries.end - 1)};
  const Range sequences = a.only ? Range{a.only->batch, a.only->batch + 1} : Range{0, a.batch};
  const Range heads = a.only ? Range{a.only->head, a.only->head + 1} : Range{0, a.heads};
  auto workspace = in_scratch<Workspace<T>, T>(a, sequences, queries);
  for (Index b = sequences.begin; b < sequences.end; ++b) {
    workspace.key_turns.prepare(b, keys);
    workspace.query_turns.prepare(b, queries);
    for (Index h = heads.begin; h < heads.end; ++h) {
      workspace.offsets.begin(b, h);
      HeadForward<T>(a, workspace, b, h).run(queries);
    }
  }
}

template void attention(const Attention<float>&);
template void attention(const Attention<double>&);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
