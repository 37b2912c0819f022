// Attention written plainly, in long double, with the whole [queries, keys] array: the reference of the blocked kernels.
#pragma once

#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {

enum class Turn { none, interleaved, half, partial };

/// Where rows lie: one after the other; with random gaps; with gaps of each sequence's own; from the last to the first; at
/// random, several at the same place.
enum class Spacing { contiguous, gaps, own_gaps, reversed, scattered };

struct OffsetCase {
  OffsetSide side;
  Index low, high;
  bool shared = false;  // by the heads

  Index rows() const { return high - low + 1; }
};

struct AttentionCase {
  Index width, queries, keys;
  bool causal;
  Turn turn;
  bool bias;
  Index batch = 2, heads = 2;
  bool own_tables = false;  // of rotation, for each sequence
  std::vector<OffsetCase> offsets = {};
  Spacing spacing = Spacing::contiguous;
};

/// Positions [sequences, count] of rows, of which the contiguous ones start at `start`.
inline std::vector<std::int32_t> positions_of(Spacing spacing, Index sequences, Index count, Index start) {
  std::mt19937 generator(6);
  std::vector<std::int32_t> positions;
  for (Index b = 0; b < sequences; ++b) {
    auto position = static_cast<std::int32_t>(start);
    for (Index i = 0; i < count; ++i) {
      if (spacing == Spacing::scattered) position = static_cast<std::int32_t>(generator() % 200) - 100;
      positions.push_back(position);
      const bool gap = spacing == Spacing::gaps || spacing == Spacing::own_gaps;
      position += spacing == Spacing::reversed ? -1 : gap ? static_cast<std::int32_t>(1 + generator() % 4) : 1;
    }
  }
  return positions;
}

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

/// The rows of an offset term, and their gradient, which starts from something else than 0.
template <class T>
struct OffsetArrays {
  OffsetCase c;
  Index width;
  std::vector<T> rows, gradient;

  OffsetArrays(const OffsetCase& c, Index heads, Index width, unsigned seed)
      : c(c),
        width(width),
        rows(normal_values<T>((c.shared ? 1 : heads) * c.rows() * width, seed)),
        gradient(rows.size(), T(0.5)) {}

  Index head_stride() const { return c.shared ? 0 : c.rows() * width; }
  /// Where the row for a distance starts.
  Index start(Index head, Index distance) const {
    return head * head_stride() + (std::clamp(distance, c.low, c.high) - c.low) * width;
  }
};

/// All arrays of one case. Queries and outputs are laid out [B, T, H, d], keys and values [B, H, T, d].
template <class T>
struct AttentionArrays {
  AttentionCase c;
  Index pairs;
  std::vector<T> query, key, value, doutput, cosine, sine, output, log_sum_exp, dquery, dkey, dvalue;
  DenseBias<T> bias;
  std::vector<OffsetArrays<T>> offsets;
  std::vector<OffsetTerm<T>> terms;
  std::vector<T*> dterms;
  std::vector<std::int32_t> query_positions, key_positions;
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
        query_positions(positions_of(c.spacing, position_sets(), c.queries, c.keys - c.queries)),
        key_positions(positions_of(c.spacing, position_sets(), c.keys, 0)),
        scale(static_cast<T>(1 / std::sqrt(static_cast<double>(c.width)))) {
    for (Index row = 0; row < (c.own_tables ? c.batch : 1) * table_rows(); ++row) {
      for (Index j = 0; j < pairs; ++j) {
        const double angle = static_cast<double>(row) * std::pow(100.0, -static_cast<double>(j) / static_cast<double>(pairs));
        cosine.push_back(static_cast<T>(std::cos(angle)));
        sine.push_back(static_cast<T>(std::sin(angle)));
      }
    }
    for (const OffsetCase& offset : c.offsets) {
      offsets.emplace_back(offset, c.heads, c.width, static_cast<unsigned>(10 + offsets.size()));
    }
  }

  Index table_rows() const { return std::max(c.queries, c.keys); }
  Index position_sets() const { return c.spacing == Spacing::own_gaps ? c.batch : 1; }
  Index distance(Index batch, Index query, Index key) const {
    const Index set = position_sets() == 1 ? 0 : batch;
    return Index{query_positions[set * c.queries + query]} - key_positions[set * c.keys + key];
  }

  HeadStrides query_strides() const { return {c.queries * c.heads * c.width, c.heads * c.width, c.width}; }
  HeadStrides key_strides() const { return {c.heads * c.keys * c.width, c.width, c.keys * c.width}; }

  Rotation<T> rotation() const {
    if (c.turn == Turn::none || pairs == 0) return {};
    return {cosine.data(), sine.data(), pairs, c.turn == Turn::interleaved, c.own_tables ? table_rows() * pairs : 0};
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
    terms.clear();
    for (const OffsetArrays<T>& offset : offsets) {
      terms.push_back({offset.c.side, offset.c.low, offset.c.high, offset.rows.data(), offset.head_stride()});
    }
    a.offsets = terms;
    const bool own = position_sets() > 1;
    a.positions = {query_positions.data(), key_positions.data(), own ? c.queries : 0, own ? c.keys : 0};
    return a;
  }
  AttentionGradient<T> backward() {
    dterms.clear();
    for (OffsetArrays<T>& offset : offsets) dterms.push_back(offset.gradient.data());
    return {.doutput = doutput.data(),
            .dquery = dquery.data(),
            .dkey = dkey.data(),
            .dvalue = dvalue.data(),
            .bias = c.bias ? &bias : nullptr,
            .doffsets = dterms};
  }
};

/// Values and gradients of one case, each laid out like the arrays above.
struct DenseAttention {
  std::vector<Real> output, log_sum_exp, dquery, dkey, dvalue, dbias;
  std::vector<std::vector<Real>> doffsets;       ///< added to what the gradients of the arrays start from
  std::vector<std::vector<Real>> doffset_sizes;  ///< the same sums of absolute values: a row's terms are thousands
};

/// Row `row` of a head of a sequence, turned by `direction` times its angle.
template <class T>
std::vector<Real> turned(std::vector<Real> x, const Rotation<T>& rotation, Index batch, Index row, Real direction) {
  for (Index j = 0; j < rotation.pairs; ++j) {
    const Index at = batch * rotation.batch_stride + row * rotation.pairs + j;
    const Index first = rotation.interleaved ? 2 * j : j, second = rotation.interleaved ? 2 * j + 1 : j + rotation.pairs;
    const Real cosine = rotation.cosine[at], sine = direction * rotation.sine[at];
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

/// Vectors of one head, and those of the queries and keys before rotation.
struct HeadInputs {
  HeadVectors q, k, plain_q, plain_k, v, dout;
};

template <class T>
HeadInputs head_inputs(const AttentionArrays<T>& arrays, Index batch, Index head) {
  const AttentionCase& c = arrays.c;
  HeadInputs in;
  in.plain_q = head_vectors(arrays.query, arrays.query_strides(), batch, head, c.queries, c.width);
  in.plain_k = head_vectors(arrays.key, arrays.key_strides(), batch, head, c.keys, c.width);
  in.v = head_vectors(arrays.value, arrays.key_strides(), batch, head, c.keys, c.width);
  in.dout = head_vectors(arrays.doutput, arrays.query_strides(), batch, head, c.queries, c.width);
  for (Index i = 0; i < c.queries; ++i) in.q.push_back(turned(in.plain_q[i], arrays.rotation(), batch, i, 1));
  for (Index j = 0; j < c.keys; ++j) in.k.push_back(turned(in.plain_k[j], arrays.rotation(), batch, j, 1));
  return in;
}

/// The row of an offset table for a pair.
template <class T>
std::vector<Real> offset_row(const AttentionArrays<T>& arrays, const OffsetArrays<T>& offset, Index batch, Index head, Index i,
                             Index j) {
  const auto start = offset.rows.begin() + offset.start(head, arrays.distance(batch, i, j));
  return {start, start + offset.width};
}

/// Scores of one head; -infinity where the mask hides.
template <class T>
HeadVectors dense_scores(const AttentionArrays<T>& arrays, const HeadInputs& in, Index batch, Index head) {
  const AttentionCase& c = arrays.c;
  HeadVectors scores(c.queries, std::vector<Real>(c.keys, -std::numeric_limits<Real>::infinity()));
  for (Index i = 0; i < c.queries; ++i) {
    for (Index j = 0; j < c.keys; ++j) {
      if (c.causal && j > i + c.keys - c.queries) continue;
      Real product = inner(in.q[i], in.k[j]);
      for (const OffsetArrays<T>& offset : arrays.offsets) {
        const std::vector<Real> row = offset_row(arrays, offset, batch, head, i, j);
        if (offset.c.side == OffsetSide::query) product += inner(in.plain_q[i], row);
        if (offset.c.side == OffsetSide::key) product += inner(in.plain_k[j], row);
      }
      scores[i][j] = arrays.scale * product;
      if (c.bias) scores[i][j] += arrays.bias.values[((batch * c.heads + head) * c.queries + i) * c.keys + j];
    }
  }
  return scores;
}

/// The values as a pair sees them: with the rows of offset terms added.
template <class T>
std::vector<Real> pair_value(const AttentionArrays<T>& arrays, const HeadInputs& in, Index batch, Index head, Index i, Index j) {
  std::vector<Real> value = in.v[j];
  for (const OffsetArrays<T>& offset : arrays.offsets) {
    if (offset.c.side == OffsetSide::value) add_scaled(1, offset_row(arrays, offset, batch, head, i, j), value);
  }
  return value;
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

/// Adds a pair's share of the gradients of the offset tables, and of the vectors before rotation that they meet.
template <class T>
void add_offset_gradients(const AttentionArrays<T>& arrays, const HeadInputs& in, Index batch, Index head, Index i, Index j,
                          Real weight, Real dproduct, std::vector<Real>& dq, std::vector<Real>& dk, DenseAttention& result) {
  for (std::size_t term = 0; term < arrays.offsets.size(); ++term) {
    const OffsetArrays<T>& offset = arrays.offsets[term];
    const std::vector<Real> row = offset_row(arrays, offset, batch, head, i, j);
    if (offset.c.side == OffsetSide::query) add_scaled(dproduct, row, dq);
    if (offset.c.side == OffsetSide::key) add_scaled(dproduct, row, dk);
    const std::vector<Real>& met = offset.c.side == OffsetSide::query ? in.plain_q[i]
                                   : offset.c.side == OffsetSide::key ? in.plain_k[j]
                                                                      : in.dout[i];
    const Real factor = offset.c.side == OffsetSide::value ? weight : dproduct;
    const Index start = offset.start(head, arrays.distance(batch, i, j));
    for (Index c = 0; c < offset.width; ++c) {
      result.doffsets[term][start + c] += factor * met[c];
      result.doffset_sizes[term][start + c] += std::abs(factor * met[c]);
    }
  }
}

template <class T>
void dense_head(const AttentionArrays<T>& arrays, Index batch, Index head, DenseAttention& result) {
  const AttentionCase& c = arrays.c;
  const HeadInputs in = head_inputs(arrays, batch, head);
  HeadVectors weights = dense_scores(arrays, in, batch, head);
  const std::vector<Real> zeros(c.width);
  HeadVectors out(c.queries, zeros), dq(c.queries, zeros), plain_dq(c.queries, zeros);
  HeadVectors dk(c.keys, zeros), plain_dk(c.keys, zeros), dv(c.keys, zeros);
  for (Index i = 0; i < c.queries; ++i) {
    const Index row = (batch * c.heads + head) * c.queries + i;
    result.log_sum_exp[row] = normalise(weights[i]);
    for (Index j = 0; j < c.keys; ++j) add_scaled(weights[i][j], pair_value(arrays, in, batch, head, i, j), out[i]);
    for (Index j = 0; j < c.keys; ++j) {
      const Real dweight = inner(in.dout[i], pair_value(arrays, in, batch, head, i, j));
      const Real dscore = weights[i][j] * (dweight - inner(in.dout[i], out[i]));
      result.dbias[row * c.keys + j] = dscore;
      add_scaled(weights[i][j], in.dout[i], dv[j]);
      add_scaled(arrays.scale * dscore, in.k[j], dq[i]);
      add_scaled(arrays.scale * dscore, in.q[i], dk[j]);
      add_offset_gradients(arrays, in, batch, head, i, j, weights[i][j], arrays.scale * dscore, plain_dq[i], plain_dk[j], result);
    }
  }
  for (Index i = 0; i < c.queries; ++i) add_scaled(1, turned(dq[i], arrays.rotation(), batch, i, -1), plain_dq[i]);
  for (Index j = 0; j < c.keys; ++j) add_scaled(1, turned(dk[j], arrays.rotation(), batch, j, -1), plain_dk[j]);
  put_head(out, arrays.query_strides(), batch, head, result.output);
  put_head(plain_dq, arrays.query_strides(), batch, head, result.dquery);
  put_head(plain_dk, arrays.key_strides(), batch, head, result.dkey);
  put_head(dv, arrays.key_strides(), batch, head, result.dvalue);
}

template <class T>
DenseAttention dense_attention(const AttentionArrays<T>& arrays) {
  const std::vector<Real> like_query(arrays.query.size()), like_key(arrays.key.size());
  DenseAttention result{like_query, std::vector<Real>(arrays.log_sum_exp.size()), like_query, like_key,
                        like_key,   std::vector<Real>(arrays.bias.values.size()), {},         {}};
  for (const OffsetArrays<T>& offset : arrays.offsets) {
    result.doffsets.emplace_back(offset.gradient.begin(), offset.gradient.end());
  }
  result.doffset_sizes = result.doffsets;
  for (Index b = 0; b < arrays.c.batch; ++b) {
    for (Index h = 0; h < arrays.c.heads; ++h) dense_head(arrays, b, h, result);
  }
  return result;
}

/// A row's gradient agrees to `tolerance` relative to the sizes of what it sums, and relative to 1.
template <class T>
void expect_close_sums(const std::vector<T>& actual, const std::vector<Real>& expected, const std::vector<Real>& sizes,
                       double tolerance, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(actual[i]), static_cast<double>(expected[i]),
                tolerance * std::max(1.0, static_cast<double>(sizes[i])))
        << what << " [" << i << "]";
  }
}

/// Holds the kernels of every instruction set to the reference.
template <class T>
void expect_dense_attention(const AttentionCase& c, double tolerance) {
  const DenseAttention expected = dense_attention(AttentionArrays<T>(c));
  for_every_table<T>([&](const Table<T>& kernels) {
    AttentionArrays<T> arrays(c);
    kernels.attention(arrays.forward());
    kernels.attention_gradient(arrays.forward(), arrays.backward());
    expect_close(arrays.output, expected.output, tolerance, "output");
    expect_close(arrays.log_sum_exp, expected.log_sum_exp, tolerance, "log_sum_exp");
    expect_close(arrays.dquery, expected.dquery, tolerance, "dquery");
    expect_close(arrays.dkey, expected.dkey, tolerance, "dkey");
    expect_close(arrays.dvalue, expected.dvalue, tolerance, "dvalue");
    if (c.bias) expect_close(arrays.bias.gradient, expected.dbias, tolerance, "dbias");
    for (std::size_t i = 0; i < c.offsets.size(); ++i) {
      expect_close_sums(arrays.offsets[i].gradient, expected.doffsets[i], expected.doffset_sizes[i], tolerance,
                        "offset rows of term " + std::to_string(i));
    }
  });
}

/// The forward pass, head by head and 64 queries at a time.
template <class T>
void attend_in_pieces(const Table<T>& kernels, AttentionArrays<T>& arrays) {
  Attention<T> a = arrays.forward();
  for (Index batch = 0; batch < a.batch; ++batch) {
    for (Index head = 0; head < a.heads; ++head) {
      for (Index begin = 0; begin < a.queries; begin += 64) {
        a.only = HeadQueries{batch, head, {begin, std::min(begin + 64, a.queries)}};
        kernels.attention(a);
      }
    }
  }
}

inline std::string describe(const AttentionCase& c) {
  std::string text = "width " + std::to_string(c.width) + ", queries " + std::to_string(c.queries) + ", keys " +
                     std::to_string(c.keys) + (c.causal ? ", causal" : "") + ", turn " +
                     std::to_string(static_cast<int>(c.turn)) + (c.own_tables ? " of each sequence" : "") +
                     (c.bias ? ", bias" : "") + ", spacing " + std::to_string(static_cast<int>(c.spacing));
  for (const OffsetCase& offset : c.offsets) {
    text += ", side " + std::to_string(static_cast<int>(offset.side)) + " " + std::to_string(offset.low) + " … " +
            std::to_string(offset.high) + (offset.shared ? " shared" : "");
  }
  return text;
}

template <class T>
constexpr double kAttentionTolerance = sizeof(T) == sizeof(float) ? 2e-5 : 1e-13;

}  // namespace ropewalk::kernels
