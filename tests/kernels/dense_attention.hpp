// Attention written plainly, in long double, with the whole [queries, keys] array: the reference of the blocked kernels.
#pragma once

#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {

enum class Turn { none, interleaved, half, partial };

struct AttentionCase {
  Index width, queries, keys;
  bool causal;
  Turn turn;
  bool bias;
  Index batch = 2, heads = 2;
};

/// A bias that is a dense array [B, H, queries, keys], and its gradient.
template <class T>
class DenseBias final : public ScoreBias<T> {
 public:
  std::vector<T> values, gradient;

  DenseBias(const AttentionCase& c, std::vector<T> bias) : values(std::move(bias)), gradient(values.size()), case_(c) {}

  void add(Index batch, Index head, Range queries, Range keys, T* scores, Index stride) const override {
    for_entries(batch, head, queries, keys, stride, [&](Index entry, Index at) { scores[at] += values[entry]; });
  }
  void collect(Index batch, Index head, Range queries, Range keys, const T* dscores, Index stride) override {
    for_entries(batch, head, queries, keys, stride, [&](Index entry, Index at) { gradient[entry] += dscores[at]; });
  }

 private:
  template <class Body>
  void for_entries(Index batch, Index head, Range queries, Range keys, Index stride, Body body) const {
    for (Index i = queries.begin; i < queries.end; ++i) {
      for (Index j = keys.begin; j < keys.end; ++j) {
        body(((batch * case_.heads + head) * case_.queries + i) * case_.keys + j, (j - keys.begin) * stride + i - queries.begin);
      }
    }
  }

  AttentionCase case_;
};

/// All arrays of one case. Queries and outputs are laid out [B, T, H, d], keys and values [B, H, T, d].
template <class T>
struct AttentionArrays {
  AttentionCase c;
  Index pairs;
  std::vector<T> query, key, value, doutput, cosine, sine, output, log_sum_exp, dquery, dkey, dvalue;
  DenseBias<T> bias;
  T scale;

  explicit AttentionArrays(const AttentionCase& c)
      : c(c),
        pairs(c.turn == Turn::partial ? c.width / 4 : c.width / 2),
        query(normal_values<T>(c.batch * c.heads * c.queries * c.width, 1)),
        key(normal_values<T>(c.batch * c.heads * c.keys * c.width, 2)),
        value(normal_values<T>(c.batch * c.heads * c.keys * c.width, 3)),
        doutput(normal_values<T>(c.batch * c.heads * c.queries * c.width, 4)),
        output(query.size(), T(9)),
        log_sum_exp(c.batch * c.heads * c.queries, T(9)),
        dquery(query.size(), T(9)),
        dkey(key.size(), T(9)),
        dvalue(value.size(), T(9)),
        bias(c, normal_values<T>(c.batch * c.heads * c.queries * c.keys, 5)),
        scale(static_cast<T>(1 / std::sqrt(static_cast<double>(c.width)))) {
    for (Index row = 0; row < std::max(c.queries, c.keys); ++row) {
      for (Index j = 0; j < pairs; ++j) {
        const double angle = static_cast<double>(row) * std::pow(100.0, -static_cast<double>(j) / static_cast<double>(pairs));
        cosine.push_back(static_cast<T>(std::cos(angle)));
        sine.push_back(static_cast<T>(std::sin(angle)));
      }
    }
  }

  HeadStrides query_strides() const { return {c.queries * c.heads * c.width, c.heads * c.width, c.width}; }
  HeadStrides key_strides() const { return {c.heads * c.keys * c.width, c.width, c.keys * c.width}; }

  Rotation<T> rotation() const {
    if (c.turn == Turn::none || pairs == 0) return {};
    return {cosine.data(), sine.data(), pairs, c.turn == Turn::interleaved};
  }

  Attention<T> forward() {
    Attention<T> a{.batch = c.batch,
                   .heads = c.heads,
                   .queries = c.queries,
                   .keys = c.keys,
                   .width = c.width,
                   .query = query.data(),
                   .key = key.data(),
                   .value = value.data(),
                   .query_strides = query_strides(),
                   .key_strides = key_strides(),
                   .value_strides = key_strides(),
                   .scale = scale,
                   .causal = c.causal,
                   .query_rotation = rotation(),
                   .key_rotation = rotation(),
                   .output = output.data(),
                   .output_strides = query_strides(),
                   .log_sum_exp = log_sum_exp.data()};
    if (c.bias) a.bias = &bias;
    return a;
  }
  AttentionGradient<T> backward() {
    return {.doutput = doutput.data(),
            .dquery = dquery.data(),
            .dkey = dkey.data(),
            .dvalue = dvalue.data(),
            .bias = c.bias ? &bias : nullptr};
  }
};

/// Values and gradients of one case, each laid out like the arrays above.
struct DenseAttention {
  std::vector<Real> output, log_sum_exp, dquery, dkey, dvalue, dbias;
};

/// Row `row` of a head, turned by `direction` times its angle.
template <class T>
std::vector<Real> turned(std::vector<Real> x, const Rotation<T>& rotation, Index row, Real direction) {
  for (Index j = 0; j < rotation.pairs; ++j) {
    const Index first = rotation.interleaved ? 2 * j : j, second = rotation.interleaved ? 2 * j + 1 : j + rotation.pairs;
    const Real cosine = rotation.cosine[row * rotation.pairs + j], sine = direction * rotation.sine[row * rotation.pairs + j];
    const Real a = x[first], b = x[second];
    x[first] = a * cosine - b * sine;
    x[second] = a * sine + b * cosine;
  }
  return x;
}

/// Vectors of one head: [T][d].
using HeadVectors = std::vector<std::vector<Real>>;

template <class T>
HeadVectors head_vectors(const std::vector<T>& array, HeadStrides strides, Index batch, Index head, Index rows, Index width) {
  HeadVectors result(rows, std::vector<Real>(width));
  for (Index i = 0; i < rows; ++i) {
    const Index start = batch * strides.batch + head * strides.head + i * strides.position;
    for (Index c = 0; c < width; ++c) result[i][c] = array[start + c];
  }
  return result;
}

inline void put_head(const HeadVectors& rows, HeadStrides strides, Index batch, Index head, std::vector<Real>& array) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < rows[i].size(); ++c) {
      array[batch * strides.batch + head * strides.head + static_cast<Index>(i) * strides.position + static_cast<Index>(c)] =
          rows[i][c];
    }
  }
}

inline Real inner(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real total = 0;
  for (std::size_t c = 0; c < a.size(); ++c) total += a[c] * b[c];
  return total;
}

inline void add_scaled(Real factor, const std::vector<Real>& x, std::vector<Real>& y) {
  for (std::size_t c = 0; c < x.size(); ++c) y[c] += factor * x[c];
}

/// Scores of one head; -infinity where the mask hides.
template <class T>
HeadVectors dense_scores(const AttentionArrays<T>& arrays, const HeadVectors& q, const HeadVectors& k, Index batch, Index head) {
  const AttentionCase& c = arrays.c;
  HeadVectors scores(c.queries, std::vector<Real>(c.keys, -std::numeric_limits<Real>::infinity()));
  for (Index i = 0; i < c.queries; ++i) {
    for (Index j = 0; j < c.keys; ++j) {
      if (c.causal && j > i + c.keys - c.queries) continue;
      scores[i][j] = arrays.scale * inner(q[i], k[j]);
      if (c.bias) scores[i][j] += arrays.bias.values[((batch * c.heads + head) * c.queries + i) * c.keys + j];
    }
  }
  return scores;
}

/// Softmax in place; a row of -infinity alone becomes zeros. Returns the logarithm of the sum of exponentials.
inline Real normalise(std::vector<Real>& row) {
  Real largest = -std::numeric_limits<Real>::infinity(), total = 0;
  for (Real s : row) largest = std::max(largest, s);
  if (std::isinf(largest)) {
    row.assign(row.size(), 0);
    return largest;
  }
  for (Real s : row) total += std::exp(s - largest);
  for (Real& s : row) s = std::exp(s - largest) / total;
  return largest + std::log(total);
}

template <class T>
void dense_head(const AttentionArrays<T>& arrays, Index batch, Index head, DenseAttention& result) {
  const AttentionCase& c = arrays.c;
  const Rotation<T> rotation = arrays.rotation();
  HeadVectors q = head_vectors(arrays.query, arrays.query_strides(), batch, head, c.queries, c.width);
  HeadVectors k = head_vectors(arrays.key, arrays.key_strides(), batch, head, c.keys, c.width);
  const HeadVectors v = head_vectors(arrays.value, arrays.key_strides(), batch, head, c.keys, c.width);
  const HeadVectors dout = head_vectors(arrays.doutput, arrays.query_strides(), batch, head, c.queries, c.width);
  for (Index i = 0; i < c.queries; ++i) q[i] = turned(q[i], rotation, i, 1);
  for (Index j = 0; j < c.keys; ++j) k[j] = turned(k[j], rotation, j, 1);

  HeadVectors weights = dense_scores(arrays, q, k, batch, head);
  const std::vector<Real> zeros(c.width);
  HeadVectors out(c.queries, zeros), dq(c.queries, zeros), dk(c.keys, zeros), dv(c.keys, zeros);
  for (Index i = 0; i < c.queries; ++i) {
    const Index row = (batch * c.heads + head) * c.queries + i;
    result.log_sum_exp[row] = normalise(weights[i]);
    for (Index j = 0; j < c.keys; ++j) add_scaled(weights[i][j], v[j], out[i]);
    for (Index j = 0; j < c.keys; ++j) {
      const Real dscore = weights[i][j] * (inner(dout[i], v[j]) - inner(dout[i], out[i]));
      result.dbias[row * c.keys + j] = dscore;
      add_scaled(weights[i][j], dout[i], dv[j]);
      add_scaled(arrays.scale * dscore, k[j], dq[i]);
      add_scaled(arrays.scale * dscore, q[i], dk[j]);
    }
  }
  for (Index i = 0; i < c.queries; ++i) dq[i] = turned(dq[i], rotation, i, -1);
  for (Index j = 0; j < c.keys; ++j) dk[j] = turned(dk[j], rotation, j, -1);
  put_head(out, arrays.query_strides(), batch, head, result.output);
  put_head(dq, arrays.query_strides(), batch, head, result.dquery);
  put_head(dk, arrays.key_strides(), batch, head, result.dkey);
  put_head(dv, arrays.key_strides(), batch, head, result.dvalue);
}

template <class T>
DenseAttention dense_attention(const AttentionArrays<T>& arrays) {
  const std::vector<Real> like_query(arrays.query.size()), like_key(arrays.key.size());
  DenseAttention result{like_query, std::vector<Real>(arrays.log_sum_exp.size()), like_query, like_key,
                        like_key,   std::vector<Real>(arrays.bias.values.size())};
  for (Index b = 0; b < arrays.c.batch; ++b) {
    for (Index h = 0; h < arrays.c.heads; ++h) dense_head(arrays, b, h, result);
  }
  return result;
}

}  // namespace ropewalk::kernels
