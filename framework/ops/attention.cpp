#include "framework/ops/attention.hpp"

#include <algorithm>
#include <cmath>

#include "framework/core/parallel.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/select.hpp"
#include "framework/ops/softmax.hpp"

namespace ropewalk {
namespace {

using kernels::Range;
using kernels::ScoreBias;

template <class T>
class DistanceHook final : public ScoreBias<T> {
 public:
  DistanceHook(const Tensor& values, const Tensor& collected) : values_(values), collected_(collected) {}

  void add(Index, Index head, Range queries, Range keys, T* scores, Index stride) const override {
    kernels::table<T>().add_distance_bias(row(values_, head), offset(), queries, keys, scores, stride);
  }

  void collect(Index, Index head, Range queries, Range keys, const T* dscores, Index stride) override {
    kernels::table<T>().collect_distance_bias(row(collected_, head), offset(), queries, keys, dscores, stride);
  }

 private:
  static T* row(const Tensor& x, Index head) { return x.data<T>() + head * x.dim(1); }
  Index offset() const { return (values_.dim(1) - 1) / 2; }

  Tensor values_, collected_;
};

/// Copy of a matrix with each row read from its end: by query - key instead of key - query, or back.
Tensor reversed(const Tensor& x) {
  const Tensor rows = copy(x);
  dispatch(x.type(), [&]<class T>(T) {
    for (Index r = 0; r < rows.dim(0); ++r) {
      std::reverse(rows.data<T>() + r * rows.dim(1), rows.data<T>() + (r + 1) * rows.dim(1));
    }
  });
  return rows;
}

class DistanceBias final : public BlockBias {
 public:
  explicit DistanceBias(const Tensor& values)
      : values_(values),
        reversed_(reversed(values)),
        collected_(values.tracked() ? Tensor::zeros(values.shape(), values.type()) : Tensor()),
        single_(reversed_, collected_),
        double_(reversed_, collected_) {}

  Tensors inputs() const override { return {values_}; }
  Type type() const override { return values_.type(); }
  bool tracked() const override { return values_.tracked(); }

  void check_covers(Index heads, Index queries, Index keys) const override {
    const Index length = std::max(queries, keys);
    check(values_.dim(0) == heads && values_.dim(1) >= 2 * length - 1,
          "attention: a distance bias {} does not cover {} heads and length {}", values_.shape(), heads, length);
  }

  ScoreBias<float>* hook(float) override { return &single_; }
  ScoreBias<double>* hook(double) override { return &double_; }
  Tensors gradients() override { return {tracked() ? reversed(collected_) : Tensor()}; }

  Tensor dense(Index queries, Index keys) const override {
    Tensor index = Tensor::empty({queries, keys}, Type::i32);
    const Index offset = (values_.dim(1) - 1) / 2;
    for (Index i = 0; i < queries; ++i) {
      for (Index j = 0; j < keys; ++j) index.data<std::int32_t>()[i * keys + j] = static_cast<std::int32_t>(j - i + offset);
    }
    return gather(values_, 1, index);
  }

 private:
  Tensor values_, reversed_, collected_;
  DistanceHook<float> single_;
  DistanceHook<double> double_;
};

/// Where the pieces of qkv [B, T, 3, H, d] lie.
template <class T>
kernels::Attention<T> problem(const Tensor& qkv, Index heads, const AttentionTerms& terms, const Tensor& output,
                              const Tensor& log_sum_exp) {
  const Index length = qkv.dim(1), model_width = qkv.dim(2) / 3, width = model_width / heads;
  kernels::Attention<T> a;
  a.batch = qkv.dim(0);
  a.heads = heads;
  a.queries = a.keys = length;
  a.width = width;
  a.query = qkv.data<T>();
  a.key = a.query + model_width;
  a.value = a.key + model_width;
  a.query_strides = a.key_strides = a.value_strides = {length * 3 * model_width, 3 * model_width, width};
  a.scale = static_cast<T>(1.0 / std::sqrt(static_cast<double>(width)));
  a.causal = terms.causal;
  if (terms.rotation.defined()) {
    a.query_rotation = {terms.rotation.cosine.data<T>(), terms.rotation.sine.data<T>(), terms.rotation.cosine.dim(1),
                        terms.rotation.interleaved};
    a.key_rotation = a.query_rotation;
  }
  if (terms.bias) a.bias = terms.bias->hook(T{});
  a.output = output.data<T>();
  a.output_strides = {length * model_width, model_width, width};
  a.log_sum_exp = log_sum_exp.data<T>();
  return a;
}

void check_shapes(const Tensor& qkv, Index heads, const AttentionTerms& terms) {
  check(qkv.rank() == 3 && heads > 0 && qkv.dim(2) % (3 * heads) == 0,
        "attention: qkv {} does not split into q, k, v of {} heads", qkv.shape(), heads);
  const Index length = qkv.dim(1), width = qkv.dim(2) / 3 / heads;
  if (terms.rotation.defined()) {
    const Shape &cosine = terms.rotation.cosine.shape(), &sine = terms.rotation.sine.shape();
    check(cosine.size() == 2 && cosine[0] == length && 2 * cosine[1] <= width && sine == cosine,
          "attention: rotation tables {} and {} do not fit length {} and head width {}", cosine, sine, length, width);
  }
  if (!terms.bias) return;
  check(terms.bias->type() == qkv.type(), "attention: bias {} and qkv {} differ in type", name_of(terms.bias->type()),
        name_of(qkv.type()));
  terms.bias->check_covers(heads, length, length);
}

/// Queries of a piece of work: enough that copying the keys and values for each piece does not count.
constexpr Index piece_queries = 4096;
static_assert(piece_queries % kernels::kAttentionCut == 0);

/// What is recorded is one shard of a batch, which other threads have their own of; the rest may be a single long sequence.
template <class T>
void attend(const kernels::Attention<T>& a, bool recorded) {
  if (recorded || a.queries <= piece_queries) return kernels::table<T>().attention(a);
  const Index cuts = (a.queries + piece_queries - 1) / piece_queries;
  parallel(a.batch * a.heads * cuts, [&](Index piece) {
    const Index begin = piece % cuts * piece_queries, row = piece / cuts;
    kernels::Attention<T> part = a;
    part.only = {row / a.heads, row % a.heads, {begin, std::min(begin + piece_queries, a.queries)}};
    kernels::table<T>().attention(part);
  });
}

/// The same terms with tables in row-major order, as the kernel reads them.
AttentionTerms with_packed_tables(AttentionTerms terms) {
  if (!terms.rotation.defined()) return terms;
  terms.rotation.cosine = packed(terms.rotation.cosine);
  terms.rotation.sine = packed(terms.rotation.sine);
  return terms;
}

/// Interleaved: (a, b) pairs laid side by side; half: all first elements, then all second ones.
Tensor join_pairs(const Tensor& a, const Tensor& b, bool interleaved) {
  if (!interleaved) return concatenate({a, b}, -1);
  Shape single = a.shape(), joined = a.shape();
  single.push_back(1);
  joined.back() *= 2;
  return reshape(concatenate({reshape(a, single), reshape(b, single)}, -1), joined);
}

/// x [.., T, d] with its pairs turned: (a, b) -> (a cos - b sin, a sin + b cos).
Tensor rotated(const Tensor& x, const RotationTables& rotation) {
  if (!rotation.defined()) return x;
  const Index pairs = rotation.cosine.dim(1), turning = 2 * pairs;
  const Tensor a = rotation.interleaved ? slice(x, -1, 0, turning, 2) : slice(x, -1, 0, pairs);
  const Tensor b = rotation.interleaved ? slice(x, -1, 1, turning, 2) : slice(x, -1, pairs, turning);
  const Tensor turned = join_pairs(subtract(multiply(a, rotation.cosine), multiply(b, rotation.sine)),
                                   add(multiply(a, rotation.sine), multiply(b, rotation.cosine)), rotation.interleaved);
  return concatenate({turned, slice(x, -1, turning, x.dim(-1))}, -1);
}

Tensor causal_mask(Index length) {
  Tensor mask = Tensor::zeros({length, length}, Type::i32);
  for (Index i = 0; i < length; ++i) {
    for (Index j = i + 1; j < length; ++j) mask.data<std::int32_t>()[i * length + j] = 1;
  }
  return mask;
}

}  // namespace

std::shared_ptr<BlockBias> distance_bias(const Tensor& values) {
  check(values.rank() == 2 && values.dim(1) % 2 == 1, "distance_bias: expected values [H, 2T - 1], got {}", values.shape());
  return std::make_shared<DistanceBias>(values);
}

Tensor attention(const Tensor& qkv, Index heads, const AttentionTerms& asked) {
  check_shapes(qkv, heads, asked);
  const AttentionTerms terms = with_packed_tables(asked);
  const Tensor input = packed(qkv);
  const Index batch = qkv.dim(0), length = qkv.dim(1);
  const Tensor y = Tensor::empty({batch, length, qkv.dim(2) / 3}, qkv.type());
  const Tensor log_sum_exp = Tensor::empty({batch, heads, length}, qkv.type());
  Tensors inputs{qkv};
  if (terms.bias) {
    for (const Tensor& part : terms.bias->inputs()) inputs.push_back(part);
  }
  dispatch(qkv.type(), [&]<class T>(T) { attend(problem<T>(input, heads, terms, y, log_sum_exp), recording(inputs)); });

  return record(y, inputs, [=](const Tensor& output, const Tensor& dy) {
    const Tensor flowing = packed(dy), dqkv = Tensor::empty(input.shape(), input.type());
    dispatch(input.type(), [&]<class T>(T) {
      const Index model_width = input.dim(2) / 3;
      T* gradient = dqkv.data<T>();
      kernels::table<T>().attention_gradient(problem<T>(input, heads, terms, output, log_sum_exp),
                                             {.doutput = flowing.data<T>(),
                                              .dquery = gradient,
                                              .dkey = gradient + model_width,
                                              .dvalue = gradient + 2 * model_width,
                                              .bias = terms.bias && terms.bias->tracked() ? terms.bias->hook(T{}) : nullptr});
    });
    Tensors result{dqkv};
    if (terms.bias) {
      for (Tensor& part : terms.bias->gradients()) result.push_back(std::move(part));
    }
    return result;
  });
}

Tensor attention_reference(const Tensor& qkv, Index heads, const AttentionTerms& terms) {
  check_shapes(qkv, heads, terms);
  const Index batch = qkv.dim(0), length = qkv.dim(1), model_width = qkv.dim(2) / 3, width = model_width / heads;
  const Tensor split = permute(reshape(qkv, {batch, length, 3, heads, width}), {2, 0, 3, 1, 4});  // [3, B, H, T, d]
  const auto part = [&](Index which) { return reshape(slice(split, 0, which, which + 1), {batch, heads, length, width}); };
  const Tensor q = rotated(part(0), terms.rotation), k = rotated(part(1), terms.rotation), v = part(2);
  Tensor scores = scale(matmul(q, transpose(k)), 1.0 / std::sqrt(static_cast<double>(width)));
  if (terms.bias) scores = add(scores, terms.bias->dense(length, length));
  if (terms.causal) scores = masked_fill(scores, causal_mask(length), -INFINITY);
  const Tensor mixed = matmul(softmax(scores), v);  // [B, H, T, d]
  return reshape(permute(mixed, {0, 2, 1, 3}), {batch, length, model_width});
}

}  // namespace ropewalk
