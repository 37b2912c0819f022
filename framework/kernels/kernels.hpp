// Single-threaded kernels on plain pointers: no Tensor, no allocation of results, contiguous rows unless a stride is named.
//
// The same source is compiled for several instruction sets and one table is chosen at run time, so one binary runs anywhere.
// Every kernel is a pure function of its arguments with a fixed order of summation: same machine, same input, same bits.
// Letters: B batch, H heads, T positions, d head width, D model width, V vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ropewalk::kernels {

using Index = std::int64_t;

enum class Unary { exp, log, tanh, sigmoid, relu, silu, gelu, gelu_tanh, negate, square_root };
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
/// a head rotate. interleaved: pair j is (2j, 2j+1); otherwise (j, j + pairs).
template <class T>
struct Rotation {
  const T* cosine = nullptr;  ///< nullptr: no rotation
  const T* sine = nullptr;
  Index pairs = 0;
  bool interleaved = true;
};

/// Some queries of one head of one sequence.
struct HeadQueries {
  Index batch = 0, head = 0;
  Range queries;
};

/// softmax(scale * q.k + bias) v, in blocks of queries and keys; memory linear in the length.
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
  /// dx = dy * f'(x); y = f(x). Read are: y alone by exp, tanh, sigmoid and square_root; x alone by log, gelu and relu
  /// (which may be given y for it: the sign is the same); both by silu and gelu_tanh; neither by negate. What is not read may be
  /// any valid pointer.
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
