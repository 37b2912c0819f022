#include "framework/ops/attention.hpp"

#include <algorithm>
#include <cmath>

#include "framework/core/parallel.hpp"
#include "framework/ops/attention_dense.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"

namespace ropewalk {
namespace {

using kernels::Range;
using kernels::ScoreBias;

/// Queries, keys and values, or their gradients: rows [B, T, D] wherever they lie.
struct Operands {
  Tensor query, key, value;
};

/// The thirds of qkv, which is packed; views.
Operands thirds(const Tensor& qkv) {
  const Index width = qkv.dim(2) / 3;
  const auto part = [&](Index which) { return slice(qkv.detach(), 2, which * width, (which + 1) * width); };
  return {part(0), part(1), part(2)};
}

/// The biases of one call as one hook.
template <class T>
class SumOfBiases final : public ScoreBias<T> {
 public:
  explicit SumOfBiases(std::vector<ScoreBias<T>*> parts) : parts_(std::move(parts)) {}

  void add(Index batch, Index head, Range queries, Range keys, T* scores, Index stride) const override {
    for (const ScoreBias<T>* part : parts_) part->add(batch, head, queries, keys, scores, stride);
  }
  void collect(Index batch, Index head, Range queries, Range keys, const T* dscores, Index stride) override {
    for (ScoreBias<T>* part : parts_) part->collect(batch, head, queries, keys, dscores, stride);
  }

 private:
  std::vector<ScoreBias<T>*> parts_;
};

/// Shows the scores, with all that hooks before it have added, to sums, and adds nothing.
template <class T>
class ShowToSums final : public ScoreBias<T> {
 public:
  explicit ShowToSums(const SpreadSums& sums) : sums_(sums) {}

  void add(Index batch, Index head, Range queries, Range keys, T* scores, Index stride) const override {
    sums_.add(batch, head, queries, keys, scores, stride);
  }
  void collect(Index, Index, Range, Range, const T*, Index) override {}

 private:
  const SpreadSums& sums_;
};

ScoreBias<float>* hook_of(const FusedBias& fused, float) { return fused.single.get(); }
ScoreBias<double>* hook_of(const FusedBias& fused, double) { return fused.twice.get(); }

bool any_tracked(const Tensors& tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const Tensor& x) { return x.tracked(); });
}

RotationTables packed_tables(const RotationTables& tables) {
  if (!tables.defined()) return tables;
  return {packed(tables.cosine), packed(tables.sine), tables.interleaved};
}

/// One call of the kernel: what the terms look like to it. The queries have their factor already. `sums`, if there are any, take
/// in the scores.
template <class T>
class FusedCall {
 public:
  FusedCall(const Operands& operands, Index heads, const AttentionTerms& terms, bool collects, const SpreadSums* sums = nullptr)
      : operands_(operands), heads_(heads), terms_(terms) {
    const Index queries = operands.query.dim(1), keys = operands.key.dim(1);
    query_rotation_ = packed_tables(terms.query_rotation);
    key_rotation_ = packed_tables(terms.key_rotation);
    std::vector<ScoreBias<T>*> hooks, tracked;
    for (const auto& bias : terms.biases) {
      const bool asked = collects && any_tracked(bias->inputs());
      fused_.push_back(bias->fused(heads, queries, keys, operands.query.type(), asked));
      hooks.push_back(hook_of(fused_.back(), T{}));
      if (asked) tracked.push_back(hooks.back());
    }
    if (sums) hooks.push_back((shown_ = std::make_unique<ShowToSums<T>>(*sums)).get());
    take_offsets(collects);
    biases_ = hooks.size() == 1 ? nullptr : std::make_unique<SumOfBiases<T>>(hooks);
    collecting_ = tracked.size() == 1 ? nullptr : std::make_unique<SumOfBiases<T>>(tracked);
    bias_ = hooks.empty() ? nullptr : hooks.size() == 1 ? hooks[0] : biases_.get();
    collector_ = tracked.empty() ? nullptr : tracked.size() == 1 ? tracked[0] : collecting_.get();
  }

  const AttentionTerms& terms() const { return terms_; }

  /// All queries.
  void forward(const Tensor& output, const Tensor& log_sum_exp) const {
    const Tables tables = tables_near(operands_.query.dim(1));
    kernels::table<T>().attention(problem(tables, output, log_sum_exp));
  }

  /// Some queries of one head of one sequence.
  void forward(const kernels::HeadQueries& part, const Tensor& output, const Tensor& log_sum_exp) const {
    const Tables tables = tables_near(part.queries.end);
    kernels::Attention<T> a = problem(tables, output, log_sum_exp);
    a.only = part;
    kernels::table<T>().attention(a);
  }

  void backward(const Tensor& output, const Tensor& log_sum_exp, const Tensor& doutput, const Operands& gradient) const {
    const Tables tables = tables_near(operands_.query.dim(1));
    kernels::table<T>().attention_gradient(problem(tables, output, log_sum_exp), {.doutput = doutput.data<T>(),
                                                                                  .dquery = gradient.query.data<T>(),
                                                                                  .dkey = gradient.key.data<T>(),
                                                                                  .dvalue = gradient.value.data<T>(),
                                                                                  .bias = collector_,
                                                                                  .doffsets = doffset_rows_});
  }

  /// Gradients of `inputs_of(terms)`, after `backward`.
  Tensors gradients() const {
    Tensors result;
    for (std::size_t i = 0; i < fused_.size(); ++i) {
      const Tensors inputs = terms_.biases[i]->inputs();
      Tensors own = collector_ && any_tracked(inputs) ? fused_[i].gradients() : Tensors(inputs.size());
      for (Tensor& gradient : own) result.push_back(std::move(gradient));
    }
    result.insert(result.end(), doffsets_.begin(), doffsets_.end());
    return result;
  }

 private:
  void take_offsets(bool collects) {
    if (terms_.offsets.empty()) return;
    query_positions_ = packed(terms_.query_positions);
    key_positions_ = packed(terms_.key_positions);
    for (const OffsetTerm& term : terms_.offsets) {
      rows_.push_back(packed(term.rows));
      const Index count = term.rows.dim(1), head_stride = term.rows.dim(0) > 1 ? count * term.rows.dim(2) : 0;
      offsets_.push_back({term.side, term.low, term.low + count - 1, rows_.back().data<T>(), head_stride});
      const bool asked = collects && term.rows.tracked();
      doffsets_.push_back(asked ? Tensor::zeros(term.rows.shape(), term.rows.type()) : Tensor());
      doffset_rows_.push_back(asked ? doffsets_.back().data<T>() : nullptr);
    }
  }

  kernels::OffsetPositions positions() const {
    const auto stride = [](const Tensor& positions) { return positions.dim(0) > 1 ? positions.dim(1) : 0; };
    return {query_positions_.data<std::int32_t>(), key_positions_.data<std::int32_t>(), stride(query_positions_),
            stride(key_positions_)};
  }

  struct Tables {
    RotationTables query, key;
  };

  /// Where factors grow with the position, they are taken relative to the last of the queries.
  Tables tables_near(Index queries_end) const {
    if (!terms_.growth || queries_end == 0) return {query_rotation_, key_rotation_};
    const RotationGrowth& growth = *terms_.growth;
    const std::vector<double> centres = growth.positions_of(queries_end - 1);
    return {grown(query_rotation_, growth.rate, growth.query_positions, centres),
            grown(key_rotation_, negate(growth.rate), growth.key_positions, centres)};
  }

  static kernels::HeadStrides strides(const Tensor& rows, Index width) { return {rows.strides()[0], rows.strides()[1], width}; }

  kernels::Attention<T> problem(const Tables& tables, const Tensor& output, const Tensor& log_sum_exp) const {
    const Index width = operands_.query.dim(2) / heads_;
    kernels::Attention<T> a;
    a.batch = operands_.query.dim(0);
    a.heads = heads_;
    a.queries = operands_.query.dim(1);
    a.keys = operands_.key.dim(1);
    a.width = width;
    a.query = operands_.query.data<T>();
    a.key = operands_.key.data<T>();
    a.value = operands_.value.data<T>();
    a.query_strides = strides(operands_.query, width);
    a.key_strides = strides(operands_.key, width);
    a.value_strides = strides(operands_.value, width);
    a.scale = static_cast<T>(1.0 / std::sqrt(terms_.scale_terms * static_cast<double>(width)));
    a.causal = terms_.causal;
    a.query_rotation = kernel_rotation<T>(tables.query);
    a.key_rotation = kernel_rotation<T>(tables.key);
    a.bias = bias_;
    a.offsets = offsets_;
    if (!offsets_.empty()) a.positions = positions();
    a.output = output.data<T>();
    a.output_strides = strides(output, width);
    a.log_sum_exp = log_sum_exp.data<T>();
    return a;
  }

  Operands operands_;
  Index heads_;
  AttentionTerms terms_;
  RotationTables query_rotation_, key_rotation_;
  Tensor query_positions_, key_positions_;
  Tensors rows_, doffsets_;
  std::vector<kernels::OffsetTerm<T>> offsets_;
  std::vector<T*> doffset_rows_;
  std::vector<FusedBias> fused_;
  std::unique_ptr<ShowToSums<T>> shown_;
  std::unique_ptr<SumOfBiases<T>> biases_, collecting_;
  ScoreBias<T>*bias_ = nullptr, *collector_ = nullptr;
};

void check_tables(const RotationTables& tables, Index batch, Index length, Index width) {
  if (!tables.defined()) return;
  const Shape &cosine = tables.cosine.shape(), &sine = tables.sine.shape();
  const bool rank = cosine.size() == 2 || (cosine.size() == 3 && cosine[0] == batch);
  check(rank && tables.cosine.dim(-2) == length && 2 * tables.cosine.dim(-1) <= width && sine == cosine,
        "attention: rotation tables {} and {} do not fit {} sequences of length {} and head width {}", cosine, sine, batch,
        length, width);
}

void check_positions(const Tensor& positions, Index batch, Index length) {
  check(positions.rank() == 2 && positions.dim(1) == length && (positions.dim(0) == 1 || positions.dim(0) == batch),
        "attention: positions {} do not fit {} sequences of length {}", positions.shape(), batch, length);
}

void check_offsets(const AttentionTerms& terms, const Operands& operands, Index heads) {
  if (terms.offsets.empty()) return;
  const Index batch = operands.query.dim(0), width = operands.query.dim(2) / heads;
  check_positions(terms.query_positions, batch, operands.query.dim(1));
  check_positions(terms.key_positions, batch, operands.key.dim(1));
  for (const OffsetTerm& term : terms.offsets) {
    const Shape& rows = term.rows.shape();
    check(rows.size() == 3 && (rows[0] == 1 || rows[0] == heads) && rows[1] > 0 && rows[2] == width,
          "attention: offset vectors {} do not fit {} heads of width {}", rows, heads, width);
  }
}

void check_shapes(const Operands& operands, Index heads, const AttentionTerms& terms) {
  check_offsets(terms, operands, heads);
  const Index batch = operands.query.dim(0), width = operands.query.dim(2) / heads;
  check_tables(terms.query_rotation, batch, operands.query.dim(1), width);
  check_tables(terms.key_rotation, batch, operands.key.dim(1), width);
}

/// The kernel has one row for a query: a factor would reach the offset vectors that it meets as well.
bool factor_is_for_the_product_alone(const AttentionTerms& terms) {
  return terms.query_factor.defined() && std::any_of(terms.offsets.begin(), terms.offsets.end(), [](const OffsetTerm& term) {
           return term.side == kernels::OffsetSide::query;
         });
}

bool has_fused(const AttentionTerms& terms) {
  return !terms.product && !factor_is_for_the_product_alone(terms) &&
         std::all_of(terms.biases.begin(), terms.biases.end(), [](const auto& bias) { return bias->has_fused(); });
}

/// qkv with its queries times the factor that the terms ask for.
Tensor with_query_factor(const Tensor& qkv, const Tensor& factor) {
  if (!factor.defined()) return qkv;
  const Index width = qkv.dim(2) / 3;
  Shape queries = factor.shape(), others = factor.shape();
  queries.back() = width;
  others.back() = 2 * width;
  return multiply(qkv, concatenate({broadcast_to(factor, queries), Tensor::full(others, 1, qkv.type())}, -1));
}

/// Queries of a piece of work: enough that copying the keys and values for each piece does not count.
constexpr Index piece_queries = 4096;
static_assert(piece_queries % kernels::kAttentionCut == 0);

/// The same, or fewer where factors would grow beyond what single precision holds from the first query of a piece to the last.
Index queries_of_a_piece(const AttentionTerms& terms) {
  constexpr double most = 60;  // of ln 3e38 = 88: queries and keys have sizes of their own
  Index size = piece_queries;
  while (terms.growth && size > kernels::kAttentionCut && terms.growth->exponent_over(size) > most) size /= 2;
  return size;
}

/// What is recorded is one shard of a batch, which other threads have their own of; the rest may be a single long sequence.
template <class T>
void attend(const FusedCall<T>& call, const Tensor& output, const Tensor& log_sum_exp, bool recorded) {
  const Index batch = log_sum_exp.dim(0), heads = log_sum_exp.dim(1), queries = log_sum_exp.dim(2);
  const Index size = queries_of_a_piece(call.terms());
  if (recorded || queries <= size) return call.forward(output, log_sum_exp);
  const Index cuts = (queries + size - 1) / size;
  parallel(batch * heads * cuts, [&](Index piece) {
    const Index begin = piece % cuts * size, row = piece / cuts;
    call.forward({row / heads, row % heads, {begin, std::min(begin + size, queries)}}, output, log_sum_exp);
  });
}

Tensor fused_attention(const Tensor& qkv, Index heads, const AttentionTerms& terms) {
  const Tensor input = packed(qkv);
  const Operands operands = thirds(input);
  const Index batch = qkv.dim(0), length = qkv.dim(1);
  const Tensor y = Tensor::empty({batch, length, qkv.dim(2) / 3}, qkv.type());
  const Tensor log_sum_exp = Tensor::empty({batch, heads, length}, qkv.type());
  Tensors inputs{qkv};
  for (const Tensor& input_of_term : inputs_of(terms)) inputs.push_back(input_of_term);
  const bool recorded = recording(inputs);
  return dispatch(qkv.type(), [&]<class T>(T) {
    const auto call = std::make_shared<FusedCall<T>>(operands, heads, terms, recorded);
    attend(*call, y, log_sum_exp, recorded);
    return record(y, inputs, [=](const Tensor& output, const Tensor& dy) {
      const Tensor dqkv = Tensor::empty(input.shape(), input.type());
      call->backward(output, log_sum_exp, packed(dy), thirds(dqkv));
      Tensors result{dqkv};
      for (Tensor& gradient : call->gradients()) result.push_back(std::move(gradient));
      return result;
    });
  });
}

Tensor unrecorded_attention(Operands operands, Index heads, const AttentionTerms& terms, const SpreadSums* sums = nullptr) {
  const NoGradient scope;
  check_shapes(operands, heads, terms);
  if (!has_fused(terms)) {
    const auto split = [heads](const Tensor& rows) { return split_heads_of(rows, heads); };
    return sliced_attention({split(operands.query), split(operands.key), split(operands.value)}, terms, sums);
  }
  if (terms.query_factor.defined()) operands.query = multiply(operands.query, terms.query_factor);
  const Shape& shape = operands.query.shape();
  const Tensor y = Tensor::empty(shape, operands.query.type());
  const Tensor log_sum_exp = Tensor::empty({shape[0], heads, shape[1]}, y.type());
  dispatch(y.type(), [&]<class T>(T) { attend(FusedCall<T>(operands, heads, terms, false, sums), y, log_sum_exp, false); });
  return y;
}

}  // namespace

Tensor attention(const Tensor& qkv, Index heads, const AttentionTerms& terms) {
  check_packed(qkv, heads);
  check_shapes(thirds(qkv), heads, terms);
  if (!has_fused(terms)) return sliced_attention(qkv, heads, terms);
  return fused_attention(with_query_factor(qkv, terms.query_factor), heads, terms);
}

Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value, Index heads, const AttentionTerms& terms) {
  return unrecorded_attention({packed(query), packed(key), packed(value)}, heads, terms);
}

AttentionWithSpread attention_with_spread(const Tensor& qkv, Index heads, const AttentionTerms& terms) {
  check_packed(qkv, heads);
  const SpreadSums sums({qkv.dim(0), heads, qkv.dim(1)}, qkv.dim(1), terms.causal);
  const Tensor output = unrecorded_attention(thirds(packed(qkv)), heads, terms, &sums);
  return {output, sums.spread()};
}

Tensor attention_reference(const Tensor& qkv, Index heads, const AttentionTerms& terms) {
  check_packed(qkv, heads);
  check_shapes(thirds(qkv), heads, terms);
  return dense_attention(split_heads(qkv, heads), terms, inputs_of(terms), {0, qkv.dim(1)});
}

}  // namespace ropewalk
