// Attention in blocks with a running maximum and sum (Dao et al. 2022, FlashAttention, algorithm 1).
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/score_block.hpp"
#include "framework/kernels/simd/scratch.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

template <class T>
struct Workspace {
  T* keys;             // [keys, padded], rotated
  T* transposed_keys;  // blocks of [width, kKeyBlock]
  T* values;           // [keys, padded]
  T* queries;          // [kQueryBlock, padded], rotated and scaled
  T* output;           // [kQueryBlock, padded], not yet divided by the sum
  T* scores;           // [kQueryBlock, kKeyBlock]
  T* maximum;          // [kQueryBlock]
  T* sum;              // [kQueryBlock]

  Workspace(Layout<T>& layout, const Attention<T>& a) {
    const Index padded = round_up_to_lanes<T>(a.width);
    keys = layout.take(a.keys * padded);
    transposed_keys = layout.take(transposed_size(a.keys, a.width));
    values = layout.take(a.keys * padded);
    queries = layout.take(kQueryBlock * padded);
    output = layout.take(kQueryBlock * padded);
    scores = layout.take(kQueryBlock * kKeyBlock);
    maximum = layout.take(kQueryBlock);
    sum = layout.take(kQueryBlock);
  }
};

template <class T>
class HeadForward {
 public:
  HeadForward(const Attention<T>& a, const Workspace<T>& w, Index batch, Index head)
      : a_(a), w_(w), batch_(batch), head_(head), padded_(round_up_to_lanes<T>(a.width)) {}

  void run() {
    pack_rows(rows_of(a_.key, a_.key_strides, batch_, head_), {0, a_.keys}, a_.width, a_.key_rotation, T(1), w_.keys);
    transpose_blocks(w_.keys, a_.keys, a_.width, w_.transposed_keys);
    pack_rows(rows_of(a_.value, a_.value_strides, batch_, head_), {0, a_.keys}, a_.width, Rotation<T>{}, T(1), w_.values);
    for_blocks(a_.queries, kQueryBlock, [&](Range queries) { query_block(queries); });
  }

 private:
  void query_block(Range queries) {
    begin(queries);
    for_blocks(visible_keys(a_, queries.end - 1), kKeyBlock, [&](Range keys) {
      score_block(a_, batch_, head_, queries, keys, w_.queries, w_.transposed_keys + transposed_offset(keys.begin, a_.width),
                  w_.scores);
      for (Index r = 0; r < queries.end - queries.begin; ++r) weigh_row(r, round_up_to_lanes<T>(keys.end - keys.begin));
      multiply<T, Result::add>(queries.end - queries.begin, padded_, keys.end - keys.begin, {w_.scores, kKeyBlock, 1},
                               {w_.values + keys.begin * padded_, padded_}, {w_.output, padded_});
    });
    finish(queries);
  }

  void begin(Range queries) {
    pack_rows(rows_of(a_.query, a_.query_strides, batch_, head_), queries, a_.width, a_.query_rotation, a_.scale, w_.queries);
    for (Index i = 0; i < kQueryBlock * padded_; ++i) w_.output[i] = 0;
    for (Index r = 0; r < kQueryBlock; ++r) {
      w_.maximum[r] = -kInfinity<T>;
      w_.sum[r] = 0;
    }
  }

  /// Turns a row of scores into exponentials relative to the largest score so far, to which earlier sums are rescaled.
  void weigh_row(Index r, Index columns) {
    T* row = w_.scores + r * kKeyBlock;
    const T before = w_.maximum[r], now = larger(row_maximum(row, columns), before), shift = finite_shift(now);
    if (now != before && before != -kInfinity<T>) rescale(r, exp(broadcast(before - shift))[0]);
    w_.maximum[r] = now;
    const auto keep = [&](Index j, Vector<T> e, auto lanes) { store(row + j, e, lanes); };
    w_.sum[r] += sum_across<T>(exponentials(row, columns, shift, keep));
  }

  void rescale(Index r, T factor) {
    w_.sum[r] *= factor;
    T* row = w_.output + r * padded_;
    for (Index c = 0; c < padded_; c += kLanes<T>) store(row + c, load(row + c) * factor);
  }

  void finish(Range queries) {
    const HeadRows<T> output = rows_of(a_.output, a_.output_strides, batch_, head_);
    T* log_sum_exp = a_.log_sum_exp + (batch_ * a_.heads + head_) * a_.queries;
    for (Index i = queries.begin; i < queries.end; ++i) {
      const Index r = i - queries.begin;
      const bool blind = w_.sum[r] == 0;
      log_sum_exp[i] = blind ? -kInfinity<T> : w_.maximum[r] + logarithm_of(w_.sum[r]);
      unpack_rows(w_.output + r * padded_, {i, i + 1}, a_.width, Rotation<T>{}, blind ? T(0) : 1 / w_.sum[r], output);
    }
  }

  const Attention<T>& a_;
  const Workspace<T>& w_;
  Index batch_, head_, padded_;
};

}  // namespace

template <class T>
void attention(const Attention<T>& a) {
  const auto workspace = in_scratch<Workspace<T>, T>(a);
  for (Index b = 0; b < a.batch; ++b) {
    for (Index h = 0; h < a.heads; ++h) HeadForward<T>(a, workspace, b, h).run();
  }
}

template void attention(const Attention<float>&);
template void attention(const Attention<double>&);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
