// Single-threaded kernels on plain pointers: no Tensor, no allocation of results, contiguous rows unless a stride is named.
//
// The same source is compiled for several instruction sets and one table is chosen at run time, so one binary runs anywhere.
// Every kernel is a pure function of its arguments with a fixed order of summation: same machine, same input, same bits.
// Letters: B batch, H heads, T positions, d head width, D model width, V vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ropewalk::kernels {

using Index = std::int64_t;

enum class Unary { exp, log, tanh, sigmoid, relu, silu, gelu, gelu_tanh, negate, square_root, log_sigmoid };
enum class Binary { add, subtract, multiply, divide };

struct Range {
  Index begin = 0;
  Index end = 0;
  Index size() const { return end - begin; }
};

/// What a positional scheme does to a block of attention scores: the hook through which a bias of any form enters attention
/// without a [B, H, T, T] array. Indices are rows of the query and key arrays; which position a row has is the scheme's matter.
template <class T>
class ScoreBias {
 public:
  virtual ~ScoreBias() = default;
  /// scores[j * stride + i] += bias of key `keys.begin + j` and query `queries.begin + i`.
  virtual void add(Index batch, Index head, Range queries, Range keys, T* scores, Index stride) const = 0;
  /// Collects the gradient: dscores is laid out like `scores`; entries that a mask hides are 0.
  virtual void collect(Index batch, Index head, Range queries, Range keys, const T* dscores, Index stride) = 0;
};

/// Strides in elements of an array [B, T, H, d] whose last axis is contiguous.
struct HeadStrides {
  Index batch = 0;
  Index position = 0;
  Index head = 0;
};

/// Rotation of pairs of a head (rope). Tables are [rows, pairs], row = index of the query or key; the first 2*pairs elements of
/// a head rotate. Each sequence of the batch may have its own: that of sequence b starts at b * batch_stride. interleaved: pair j
/// is (2j, 2j+1); otherwise (j, j + pairs).
template <class T>
struct Rotation {
  const T* cosine = nullptr;  ///< nullptr: no rotation
  const T* sine = nullptr;
  Index pairs = 0;
  bool interleaved = true;
  Index batch_stride = 0;  ///< 0: all sequences share the tables
};

/// Positions of the queries and keys of a batch: any numbers, such as random ones. Those of sequence b start at b * stride.
struct OffsetPositions {
  const std::int32_t* query = nullptr;
  const std::int32_t* key = nullptr;
  Index query_stride = 0, key_stride = 0;  ///< 0: all sequences share them
};

/// What the vectors of an offset table meet.
enum class OffsetSide { query, key, value };

/// Vectors for the distance between a query and a key (Shaw et al. 2018, equations 3 and 4; Dai et al. 2019, Transformer-XL; He
/// et al. 2020, DeBERTa). The pair of query i and key j has
///   row = rows[clip(query position i - key position j, low, high) - low].
/// query: score += scale * q.row; key: score += scale * k.row, both before any rotation; value: output += weight * row, with the
/// weight that softmax gives the pair. low == high: one row for all pairs.
template <class T>
struct OffsetTerm {
  OffsetSide side = OffsetSide::query;
  Index low = 0, high = 0;
  const T* rows = nullptr;  ///< [high - low + 1, width], those of head h start at h * head_stride
  Index head_stride = 0;    ///< 0: all heads share the rows
};

/// Some queries of one head of one sequence.
struct HeadQueries {
  Index batch = 0, head = 0;
  Range queries;
};

/// softmax(scale * q.k + bias) v, with the offset terms, in blocks of queries and keys; memory linear in the length.
template <class T>
struct Attention {
  Index batch = 0, heads = 0, queries = 0, keys = 0, width = 0;
  const T* query = nullptr;
  const T* key = nullptr;
  const T* value = nullptr;
  HeadStrides query_strides, key_strides, value_strides;
  T scale = 1;
  bool causal = true;  ///< query i sees key j if j <= i + keys - queries
  Rotation<T> query_rotation, key_rotation;
  const ScoreBias<T>* bias = nullptr;  ///< nullptr: nothing is added
  std::span<const OffsetTerm<T>> offsets = {};
  OffsetPositions positions = {};  ///< read if there are offset terms

  T* output = nullptr;  ///< [B, T, H, d]
  HeadStrides output_strides;
  T* log_sum_exp = nullptr;  ///< [B, H, queries]; -infinity for a row that sees no key, whose output is 0

  /// The forward pass computes these alone and leaves the rest of the output as it is; nullopt: all. No bit depends on how a
  /// sequence is cut as long as the cuts lie at multiples of `kAttentionCut` queries.
  std::optional<HeadQueries> only = std::nullopt;
};

constexpr Index kAttentionCut = 32;

/// Arrays of the backward pass beside those of the forward one. The gradients have the strides of what they belong to and are
/// overwritten, not added to.
template <class T>
struct AttentionGradient {
  const T* doutput = nullptr;  ///< strides of the output
  T* dquery = nullptr;
  T* dkey = nullptr;
  T* dvalue = nullptr;
  ScoreBias<T>* bias = nullptr;  ///< that of the attention, to collect its gradient; nullptr: nobody asks for it
  /// For each offset term where the gradient of its rows, laid out like them, is added; nullptr: nobody asks for it. Empty: for
  /// none.
  std::span<T* const> doffsets = {};
};

/// Which position each row of the query and key arrays has: whole numbers, gaps and repetitions allowed.
struct Positions {
  const std::int32_t* queries = nullptr;  ///< by index of the query, as a `Range` counts
  const std::int32_t* keys = nullptr;
};

/// FIRE (Li et al. 2023, arXiv:2310.04418), one head: the bias is b2 + sum over k of w2[k] relu(w1[k] x + b1[k]) with
/// x = psi[|query position - key position|] * min(reciprocal_queries[i], reciprocal_keys[j]).
template <class T>
struct Fire {
  Index width = 32;
  const T* w1 = nullptr;  ///< [width]
  const T* b1 = nullptr;  ///< [width]
  const T* w2 = nullptr;  ///< [width]
  T b2 = 0;
  Positions positions;
  const T* psi = nullptr;  ///< by distance; covers every query and key of a block, whether they see each other or not
  const T* reciprocal_queries = nullptr;  ///< by index: 1 / psi(max(position, threshold)); finite
  const T* reciprocal_keys = nullptr;
};

/// Where the gradients of a `Fire` are added, each laid out like what it belongs to. Those of psi and its reciprocals nearly
/// cancel in what they are made of, so they are double.
template <class T>
struct FireGradient {
  T* w1 = nullptr;
  T* b1 = nullptr;
  T* w2 = nullptr;
  T* b2 = nullptr;  ///< one element
  double* psi = nullptr;
  double* reciprocal_queries = nullptr;
  double* reciprocal_keys = nullptr;
};

/// Sums over the keys that each query has met so far, by index of the query; e is exp(score - maximum).
struct WeightSums {
  double* maximum = nullptr;   ///< the largest score; -infinity before the first
  double* weight = nullptr;    ///< of e
  double* score = nullptr;     ///< of e (score - maximum)
  double* distance = nullptr;  ///< of e |i + lag - j|, tokens, for query i and key j
};

struct AdamStep {
  double rate = 0, beta1 = 0, beta2 = 0, epsilon = 0;
  double decay = 0;        ///< decoupled: parameter -= rate * decay * parameter
  double correction1 = 1;  ///< 1 - beta1^step
  double correction2 = 1;  ///< 1 - beta2^step
  double gradient_scale = 1;
};

/// The kernels of one element type, T = float or double, compiled for one instruction set.
template <class T>
struct Table {
  // Element-wise over n elements. A stride of 0 repeats one element; 1 walks; other strides are allowed and slower.
  // The output may be one of the inputs. NaN stays NaN and infinity follows the formula (gelu and silu of -infinity are
  // -infinity * 0 = NaN): a diverged run must show. In float, exp below 2e-38 is 0.
  void (*unary)(Unary, const T* x, Index x_stride, T* y, Index n);
  /// dx = dy * f'(x); y = f(x). Read are: y alone by exp, tanh, sigmoid and square_root; x alone by log, gelu,
  /// log_sigmoid and relu (which may be given y for it: the sign is the same); both by silu and gelu_tanh; neither by negate.
  /// What is not read may be any valid pointer.
  void (*unary_gradient)(Unary, const T* x, const T* y, const T* dy, T* dx, Index n);
  /// Replaces x by f(x) and dy by dy f'(x), in one pass.
  void (*unary_with_gradient)(Unary, T* x, T* dy, Index n);
  void (*binary)(Binary, const T* a, Index a_stride, const T* b, Index b_stride, T* y, Index n);
  void (*accumulate)(const T* x, T* y, Index n);  ///< y += x

  // Row-wise over [rows, columns]. softmax of a row of -infinity alone is 0, its logarithm -infinity, its gradients 0.
  T (*sum)(const T* x, Index n);
  T (*maximum)(const T* x, Index n);  ///< n >= 1; NaN if any element is
  double (*sum_of_squares)(const T* x, Index n);
  /// y[c] = or += the sum over rows.
  void (*column_sum)(const T* x, T* y, Index rows, Index columns, bool accumulate);
  void (*softmax)(const T* x, T* y, Index rows, Index columns, bool logarithm);
  void (*softmax_gradient)(const T* y, const T* dy, T* dx, Index rows, Index columns, bool logarithm);
  /// y = (x - mean) * reciprocal * weight + bias, reciprocal = 1/sqrt(variance + epsilon); mean, reciprocal [rows] are kept for
  /// the gradient.
  void (*layer_norm)(const T* x, const T* weight, const T* bias, T* y, T* mean, T* reciprocal, Index rows, Index columns,
                     T epsilon);
  /// Overwrites dweight and dbias [columns]; dx [rows, columns] = or += the gradient of x.
  void (*layer_norm_gradient)(const T* x, const T* weight, const T* mean, const T* reciprocal, const T* dy, T* dx, T* dweight,
                              T* dbias, Index rows, Index columns, bool accumulate);
  /// y = x * reciprocal * weight; reciprocal [rows] = 1/sqrt(mean(x^2) + eps).
  void (*rms_norm)(const T* x, const T* weight, T* y, T* reciprocal, Index rows, Index columns, T epsilon);
  void (*rms_norm_gradient)(const T* x, const T* weight, const T* reciprocal, const T* dy, T* dx, T* dweight, Index rows,
                            Index columns, bool accumulate);
  /// loss[r] = log_sum_exp[r] - logits[r, target[r]], nats; a row whose target is negative is not scored: loss 0.
  void (*cross_entropy)(const T* logits, const std::int32_t* target, T* loss, T* log_sum_exp, Index rows, Index columns);
  /// dlogits[r, c] = dloss[r] * (softmax(logits[r])[c] - (c == target[r])); 0 for a row that is not scored. dlogits may be
  /// logits.
  void (*cross_entropy_gradient)(const T* logits, const std::int32_t* target, const T* log_sum_exp, const T* dloss, T* dlogits,
                                 Index rows, Index columns);

  void (*attention)(const Attention<T>&);
  void (*attention_gradient)(const Attention<T>&, const AttentionGradient<T>&);
  /// Block of a bias that depends on query - key alone: scores[j, i] += row[(queries.begin + i) - (keys.begin + j) + offset].
  void (*add_distance_bias)(const T* row, Index offset, Range queries, Range keys, T* scores, Index stride);
  /// Its gradient: drow[...] += dscores[j, i].
  void (*collect_distance_bias)(T* drow, Index offset, Range queries, Range keys, const T* dscores, Index stride);

  /// The same for positions with gaps: scores[j, i] += row[query position - key position + offset].
  void (*add_position_bias)(const T* row, Index offset, Positions, Range queries, Range keys, T* scores, Index stride);
  /// Its gradient: drow[...] += dscores[j, i].
  void (*collect_position_bias)(T* drow, Index offset, Positions, Range queries, Range keys, const T* dscores, Index stride);
  /// Block of a bias that is a difference, as of cumulated logarithms of forget gates (Lin et al. 2025, arXiv:2503.02130):
  /// scores[j, i] += of_queries[i] - of_keys[j], indices absolute. The sums may be huge where their differences are small, so
  /// they are double and the difference is rounded to T once.
  void (*add_difference_bias)(const double* of_queries, const double* of_keys, Range queries, Range keys, T* scores,
                              Index stride);
  /// Its gradient: dof_queries[i] += sum over j of dscores[j, i] and dof_keys[j] -= sum over i, summed in double.
  void (*collect_difference_bias)(double* dof_queries, double* dof_keys, Range queries, Range keys, const T* dscores,
                                  Index stride);
  /// scores[j, i] += bias of a `Fire`.
  void (*add_fire_bias)(const Fire<T>&, Range queries, Range keys, T* scores, Index stride);
  /// Its gradient; the slope of relu at 0 is 0, and the minimum of equal reciprocals is the query's.
  void (*collect_fire_bias)(const Fire<T>&, const FireGradient<T>&, Range queries, Range keys, const T* dscores, Index stride);

  /// Takes a block of scores, laid out as for a `ScoreBias`, into the sums of its queries. Query i is the token of key i + lag;
  /// `causal`: later keys are hidden from it.
  void (*sum_weights)(Range queries, Range keys, Index lag, bool causal, const T* scores, Index stride, const WeightSums&);

  /// One AdamW step (Loshchilov and Hutter 2019) over n elements: m, v and the parameter are updated in place.
  void (*adamw)(const AdamStep&, const T* gradient, T* parameter, T* first_moment, T* second_moment, Index n);
};

/// The table for this processor's widest instruction set.
template <class T>
const Table<T>& table();

/// Instruction sets of this build that this processor can run, narrowest first: "generic", "avx2", "avx512".
std::vector<std::string> instruction_sets();

/// The table of one of `instruction_sets()`; for tests and benchmarks, which hold each to the others.
template <class T>
const Table<T>& table(const std::string& instruction_set);

}  // namespace ropewalk::kernels
