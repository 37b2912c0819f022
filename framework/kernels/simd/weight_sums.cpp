// Sums of softmax weights, block by block with a running maximum: within a block in the type of the scores, from block to block
// in double.
#include "framework/kernels/simd/block.hpp"
#include "framework/kernels/simd/declarations.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

/// The sums of one query.
struct Sums {
  double maximum, weight, score, distance;

  /// The same relative to another maximum. Without any weight there is none to be relative to.
  Sums relative_to(double other) const {
    if (weight == 0) return {other, 0, 0, 0};
    const double shift = maximum - other, factor = __builtin_exp(shift);
    return {other, factor * weight, factor * (score + shift * weight), factor * distance};
  }
};

void merge(const Sums& block, const WeightSums& all, Index query) {
  if (block.weight == 0) return;  // all hidden
  Sums before{all.maximum[query], all.weight[query], all.score[query], all.distance[query]}, here = block;
  const double maximum = larger(before.maximum, here.maximum);
  before = before.relative_to(maximum);
  here = here.relative_to(maximum);
  all.maximum[query] = maximum;
  all.weight[query] = before.weight + here.weight;
  all.score[query] = before.score + here.score;
  all.distance[query] = before.distance + here.distance;
}

/// A vector of queries and all keys of a block. `token`: where the queries are, counted from the block's first key.
template <class T, class Lanes>
class Strip {
 public:
  Strip(const T* scores, Index stride, Index keys, Vector<T> token, bool causal, Lanes lanes)
      : scores_(scores), stride_(stride), keys_(keys), token_(token), causal_(causal), lanes_(lanes) {}

  void add_to(const WeightSums& all, Index query, Index count) const {
    Vector<T> maximum = broadcast(-kInfinity<T>), weight{}, score{}, distance{};
    for (Index j = 0; j < keys_; ++j) maximum = larger(seen(j), maximum);
    const Vector<T> shift = finite_shifts<T>(maximum);
    for (Index j = 0; j < keys_; ++j) {
      const Vector<T> below = seen(j) - shift, e = exp_below_zero(below);
      const Vector<T> ahead = token_ - static_cast<T>(j);
      weight += e;
      score += e == 0 ? Vector<T>{} : e * below;  // 0 times -infinity, where hidden, is no number
      distance += e * larger(ahead, -ahead);
    }
    for (Index i = 0; i < count; ++i) merge({maximum[i], weight[i], score[i], distance[i]}, all, query + i);
  }

 private:
  /// -infinity where hidden.
  Vector<T> seen(Index j) const {
    const Vector<T> score = load(scores_ + j * stride_, lanes_);
    return causal_ ? (token_ < static_cast<T>(j) ? broadcast(-kInfinity<T>) : score) : score;
  }

  const T* scores_;
  Index stride_, keys_;
  Vector<T> token_;
  bool causal_;
  Lanes lanes_;
};

}  // namespace

template <class T>
void sum_weights(Range queries, Range keys, Index lag, bool causal, const T* scores, Index stride, const WeightSums& sums) {
  const Vector<T> lane = counted<T>(std::make_integer_sequence<int, kLanes<T>>{});
  for_blocks(keys, kKeyBlock, [&](Range block) {
    for_vectors<T>(queries.size(), [&](Index i, auto lanes) {
      const Vector<T> token = lane + static_cast<T>(queries.begin + i + lag - block.begin);
      const T* first = scores + (block.begin - keys.begin) * stride + i;
      const Index count = smaller_of(kLanes<T>, queries.size() - i);
      Strip(first, stride, block.size(), token, causal, lanes).add_to(sums, queries.begin + i, count);
    });
  });
}

template void sum_weights(Range, Range, Index, bool, const float*, Index, const WeightSums&);
template void sum_weights(Range, Range, Index, bool, const double*, Index, const WeightSums&);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
