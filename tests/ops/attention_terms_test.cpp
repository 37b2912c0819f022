// What positional schemes may put into attention, term by term, in double: against plain loops where a loop says it all, else the
// form in blocks against the dense one, and gradients against differences.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numeric>

#include "framework/core/parallel.hpp"
#include "framework/core/random.hpp"
#include "framework/ops/attention_dense.hpp"
#include "framework/ops/distance_bias.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/position_bias.hpp"
#include "framework/ops/reduce.hpp"

namespace ropewalk {
namespace {

using kernels::OffsetSide;
using Form = Tensor (*)(const Tensor&, Index, const AttentionTerms&);

constexpr Index heads = 2, width = 4, inner = heads * width;

Tensor draw(const Shape& shape, const char* name, Type type = Type::f64) {
  return normal(shape, 1, Random(1).stream(name), type);
}

Tensor queries_keys_values(Index batch, Index length) { return draw({batch, length, 3 * inner}, "qkv"); }

double largest_difference(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.shape(), b.shape());
  const std::vector<double> x = a.values(), y = b.values();
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::isnan(x[i]) ? INFINITY : std::abs(x[i] - y[i]));
  return largest;
}

/// A sum with fixed random weights, which depends on every output.
Tensor loss_of(const Tensor& y) { return sum(multiply(y, draw(y.shape(), "weights", y.type()))); }

/// Score of a query and a key, and the value that the query gets from the key, as a test works them out.
struct Expected {
  std::function<double(Index batch, Index head, Index query, Index key)> score;
  std::function<double(Index batch, Index head, Index query, Index key, Index element)> value = {};  ///< empty: the projected one
};

/// An element of a query (0), key (1) or value (2) in qkv.
double at(const Tensor& qkv, Index part, Index batch, Index head, Index token, Index element) {
  return qkv.data<double>()[((batch * qkv.dim(1) + token) * 3 + part) * inner + head * width + element];
}

double product(const Tensor& qkv, Index batch, Index head, Index query, Index key) {
  double total = 0;
  for (Index c = 0; c < width; ++c) total += at(qkv, 0, batch, head, query, c) * at(qkv, 1, batch, head, key, c);
  return total;
}

/// Causal attention by plain loops.
Tensor naive_attention(const Tensor& qkv, const Expected& expected) {
  const Index batch = qkv.dim(0), length = qkv.dim(1);
  std::vector<double> output;
  for (Index b = 0; b < batch; ++b) {
    for (Index i = 0; i < length; ++i) {
      for (Index h = 0; h < heads; ++h) {
        double total = 0;
        std::vector<double> mixed(width);
        for (Index j = 0; j <= i; ++j) {
          const double weight = std::exp(expected.score(b, h, i, j));
          total += weight;
          for (Index c = 0; c < width; ++c) mixed[static_cast<std::size_t>(c)] += weight * expected.value(b, h, i, j, c);
        }
        for (double element : mixed) output.push_back(element / total);
      }
    }
  }
  return Tensor::of(output, {batch, length, inner}, Type::f64);
}

/// Holds both forms to plain loops.
void expect_naive(const Tensor& qkv, const AttentionTerms& terms, Expected expected) {
  if (!expected.value) {
    expected.value = [&qkv](Index b, Index h, Index, Index j, Index c) { return at(qkv, 2, b, h, j, c); };
  }
  const Tensor naive = naive_attention(qkv, expected);
  for (const Form form : {Form{attention}, Form{attention_reference}}) {
    EXPECT_LT(largest_difference(form(qkv, heads, terms), naive), 1e-12);
  }
}

/// Holds gradients of all leaves to difference quotients; `terms` is made of the leaves, the first of which is qkv.
void expect_difference_quotients(const Tensors& leaves, const std::function<AttentionTerms()>& terms) {
  const auto loss = [&](Form form) { return loss_of(form(leaves[0], heads, terms())); };
  const Tensors blocks = gradients(loss(attention), leaves), dense = gradients(loss(attention_reference), leaves);
  for (std::size_t n = 0; n < leaves.size(); ++n) {
    EXPECT_LT(largest_difference(blocks[n], dense[n]), 1e-11) << "input " << n;
    const std::vector<double> found = blocks[n].values();
    for (Index i = 0; i < leaves[n].size(); ++i) {
      const NoGradient scope;
      double& coordinate = leaves[n].data<double>()[i];
      const double start = coordinate, step = 1e-5;
      coordinate = start + step;
      const double above = loss(attention).item();
      coordinate = start - step;
      const double below = loss(attention).item();
      coordinate = start;
      ASSERT_NEAR(found[static_cast<std::size_t>(i)], (above - below) / (2 * step), 1e-8) << "input " << n << ", element " << i;
    }
  }
}

/// Tables for angles [S, T, pairs], or [T, pairs] of one sequence.
RotationTables tables_of(const Tensor& angles, bool interleaved) {
  const auto map = [&](double (*function)(double)) {
    std::vector<double> values = angles.values();
    for (double& value : values) value = function(value);
    return Tensor::of(values, angles.shape(), Type::f64);
  };
  return {map(std::cos), map(std::sin), interleaved};
}

/// weight_h · tanh(q·k) · (i − j)/10: of a form that the kernel cannot be given, made of queries, keys and their places.
class DenseAlone final : public ScoreTerm {
 public:
  explicit DenseAlone(const Tensor& weight) : weight_(weight) {}

  Tensors inputs() const override { return {weight_}; }
  bool has_fused() const override { return false; }
  Tensor dense(const DenseBlock& block, const Tensors& inputs) const override {
    std::vector<double> away;
    for (Index i = block.queries.begin; i < block.queries.end; ++i) {
      for (Index j = 0; j < block.keys(); ++j) away.push_back(static_cast<double>(i - j) / 10);
    }
    const Tensor distance = Tensor::of(away, {block.queries.size(), block.keys()}, Type::f64);
    return multiply(inputs[0], multiply(tanh(matmul(block.query, transpose(block.key))), distance));
  }

 private:
  Tensor weight_;
};

AttentionTerms with_dense_alone(const Tensor& weight, const Tensor& distance_values) {
  AttentionTerms terms;
  terms.biases = {std::make_shared<DenseAlone>(weight), distance_bias(distance_values)};
  return terms;
}

TEST(DenseTerms, AreThoseOfPlainLoops) {
  const Tensor qkv = queries_keys_values(2, 7), weight = draw({heads, 1, 1}, "weight"), values = draw({heads, 13}, "values");
  expect_naive(qkv, with_dense_alone(weight, values), {[&](Index b, Index h, Index i, Index j) {
                 const double dot = product(qkv, b, h, i, j);
                 return dot / 2 + weight.data<double>()[h] * std::tanh(dot) * static_cast<double>(i - j) / 10 +
                        values.data<double>()[h * 13 + j - i + 6];
               }});
}

/// Terms of every kind that knows its place among the queries, with one that has a dense form alone.
AttentionTerms every_term(Index length, const Tensor& weight, const Tensor& values, const Tensor& rows) {
  AttentionTerms terms = with_dense_alone(weight, values);
  std::vector<std::int32_t> index(static_cast<std::size_t>(length));
  std::iota(index.begin(), index.end(), 0);
  terms.query_positions = terms.key_positions = Tensor::of(index, {1, length});
  terms.offsets = {{OffsetSide::query, rows, -3}};
  terms.query_factor = draw({length, 1}, "factor");
  terms.query_rotation = terms.key_rotation = tables_of(draw({length, 2}, "angles"), true);
  const Tensor positions = convert(Tensor::of(index, {length}), Type::f64);
  terms.growth = {Tensor::of({-0.01, -0.002}, {2}, Type::f64), positions, positions};
  return terms;
}

// 2^20 scores are a slice: at 1050 tokens of two heads 499 queries of three.
TEST(DenseTerms, GoSliceBySliceWithTheValuesAndGradientsOfTheWhole) {
  constexpr Index length = 1050;
  const Tensor qkv = parameter(queries_keys_values(1, length)), weight = parameter(draw({heads, 1, 1}, "weight"));
  const Tensor values = parameter(draw({heads, 2 * length - 1}, "values")), rows = parameter(draw({heads, 9, width}, "rows"));
  const AttentionTerms terms = every_term(length, weight, values, rows);
  Index slices = 0;
  const ParallelScope scope([&](Index count, const std::function<void(Index)>& piece) {
    slices = count;
    for (Index i = 0; i < count; ++i) piece(i);
  });
  const Form attention = ropewalk::attention;  // of its overloads this one
  const Tensor sliced = attention(qkv, heads, terms), whole = attention_reference(qkv, heads, terms);
  EXPECT_EQ(slices, 3);
  EXPECT_LT(largest_difference(sliced, whole), 1e-12);
  const Tensors leaves{qkv, weight, values, rows};
  const Tensors found = gradients(loss_of(sliced), leaves), expected = gradients(loss_of(whole), leaves);
  for (std::size_t n = 0; n < leaves.size(); ++n) EXPECT_LT(largest_difference(found[n], expected[n]), 1e-10) << "input " << n;
}

TEST(DenseTerms, AreAskedForNoGradientThatNobodyWants) {
  const Tensor qkv = parameter(queries_keys_values(1, 7)), weight = draw({heads, 1, 1}, "weight");
  const Tensor values = draw({heads, 13}, "values");
  const AttentionTerms terms = with_dense_alone(weight, values);
  const Form forms[] = {attention, attention_reference};
  EXPECT_LT(largest_difference(gradients(loss_of(forms[0](qkv, heads, terms)), {qkv})[0],
                               gradients(loss_of(forms[1](qkv, heads, terms)), {qkv})[0]),
            1e-12);
}

TEST(QueryFactor, MultipliesTheScoresOfAQuery) {
  const Tensor qkv = queries_keys_values(2, 7);
  for (Index sequences : {1, 2}) {
    AttentionTerms terms;
    terms.query_factor = draw(sequences == 1 ? Shape{7, 1} : Shape{2, 7, 1}, "factor");
    expect_naive(qkv, terms, {[&](Index b, Index h, Index i, Index j) {
                   const Index row = sequences == 1 ? i : b * 7 + i;
                   return terms.query_factor.data<double>()[row] * product(qkv, b, h, i, j) / 2;
                 }});
  }
}

TEST(QueryFactor, IsTheSameWhereThereIsADenseTerm) {
  const Tensor qkv = parameter(queries_keys_values(2, 7)), weight = parameter(draw({heads, 1, 1}, "weight"));
  const Tensor values = parameter(draw({heads, 13}, "values"));
  expect_difference_quotients({qkv, weight, values}, [&] {
    AttentionTerms terms = with_dense_alone(weight, values);
    terms.query_factor = draw({2, 7, 1}, "factor");
    return terms;
  });
}

/// Re(q e^{iα} · conj(k e^{iβ})) of the pairs of a query and a key, each times a factor.
double turned_product(const Tensor& qkv, bool interleaved, Index b, Index h, Index i, Index j,
                      const std::function<double(Index batch, Index token, Index pair)>& query_angle,
                      const std::function<double(Index batch, Index token, Index pair)>& key_angle,
                      const std::function<double(Index pair)>& factor) {
  double total = 0;
  for (Index p = 0; p < width / 2; ++p) {
    const Index first = interleaved ? 2 * p : p, second = interleaved ? 2 * p + 1 : p + width / 2;
    const auto q = std::complex(at(qkv, 0, b, h, i, first), at(qkv, 0, b, h, i, second)) * std::polar(1.0, query_angle(b, i, p));
    const auto k = std::complex(at(qkv, 1, b, h, j, first), at(qkv, 1, b, h, j, second)) * std::polar(1.0, key_angle(b, j, p));
    total += factor(p) * (q * std::conj(k)).real();
  }
  return total / 2;
}

TEST(RotationTables, MayDifferFromSequenceToSequence) {
  const Tensor qkv = queries_keys_values(2, 7), query_angles = draw({2, 7, 2}, "q"), key_angles = draw({2, 7, 2}, "k");
  const auto angle = [](const Tensor& angles) {
    return [&angles](Index b, Index t, Index p) { return angles.data<double>()[(b * 7 + t) * 2 + p]; };
  };
  for (bool interleaved : {true, false}) {
    AttentionTerms terms;
    terms.query_rotation = tables_of(query_angles, interleaved);
    terms.key_rotation = tables_of(key_angles, interleaved);
    expect_naive(qkv, terms, {[&](Index b, Index h, Index i, Index j) {
                   return turned_product(qkv, interleaved, b, h, i, j, angle(query_angles), angle(key_angles),
                                         [](Index) { return 1.0; });
                 }});
    const Tensor leaf = parameter(qkv);
    expect_difference_quotients({leaf}, [&] { return terms; });
  }
}

/// Positions of two sequences, far from each other and with gaps.
const std::vector<double> far_apart{0, 1, 2, 5, 6, 9, 40, 500, 501, 503, 504, 505, 600, 601};

TEST(RotationGrowth, MultipliesPairsByAPowerOfTheDistance) {
  const Tensor qkv = queries_keys_values(2, 7), angles = draw({2, 7, 2}, "angles"),
               rate = Tensor::of({-0.03, 0.02}, {2}, Type::f64);
  const auto angle = [&](Index b, Index t, Index p) { return angles.data<double>()[(b * 7 + t) * 2 + p]; };
  AttentionTerms terms;
  terms.query_rotation = terms.key_rotation = tables_of(angles, true);
  const Tensor positions = Tensor::of(far_apart, {2, 7}, Type::f64);
  terms.growth = {rate, positions, positions};
  expect_naive(qkv, terms, {[&](Index b, Index h, Index i, Index j) {
                 const double away =
                     far_apart[static_cast<std::size_t>(b * 7 + i)] - far_apart[static_cast<std::size_t>(b * 7 + j)];
                 return turned_product(qkv, true, b, h, i, j, angle, angle,
                                       [&](Index p) { return std::exp(rate.data<double>()[p] * away); });
               }});
  const Tensor leaf = parameter(qkv);
  expect_difference_quotients({leaf}, [&] { return terms; });
}

// Factors are taken relative to the last query of a piece of work. Here they grow by e^330 in all, which single precision does
// not hold, and by e^38 from the first of 128 queries to the last.
TEST(RotationGrowth, IsTheSameWhateverThePieceOfWorkAndInSinglePrecision) {
  constexpr Index length = 1100;
  const Tensor qkv = queries_keys_values(1, length), positions = Tensor::empty({length}, Type::f64);
  for (Index i = 0; i < length; ++i) positions.data<double>()[i] = static_cast<double>(i);
  AttentionTerms terms;
  terms.query_rotation = terms.key_rotation = tables_of(draw({length, 2}, "angles"), true);
  terms.growth = {Tensor::of({-0.3, -0.001}, {2}, Type::f64), positions, positions};
  Index pieces = 0;
  const ParallelScope scope([&](Index count, const std::function<void(Index)>& piece) {
    pieces = count;
    for (Index i = 0; i < count; ++i) piece(i);
  });
  const Form attention = ropewalk::attention;  // of its overloads this one
  const Tensor cut = attention(qkv, heads, terms);
  EXPECT_EQ(pieces, (length + 127) / 128 * heads);
  EXPECT_LT(largest_difference(cut, attention(parameter(qkv), heads, terms)), 1e-11);
  EXPECT_LT(largest_difference(cut, attention_reference(qkv, heads, terms)), 1e-11);

  const auto single = [](const Tensor& x) { return convert(x, Type::f32); };
  for (RotationTables* tables : {&terms.query_rotation, &terms.key_rotation}) {
    *tables = {single(tables->cosine), single(tables->sine), tables->interleaved};
  }
  EXPECT_LT(largest_difference(convert(attention(single(qkv), heads, terms), Type::f64), cut), 1e-4);
}

// One table for all, though the sequences are far from each other.
TEST(PositionBias, CoversTheDistancesWithinEverySequence) {
  const Tensor qkv = parameter(queries_keys_values(2, 7)), values = parameter(draw({heads, 203}, "values"));
  const std::vector<std::int32_t> whole(far_apart.begin(), far_apart.end());
  const Tensor positions = Tensor::of(whole, {2, 7});
  const auto terms = [&] {
    AttentionTerms terms;
    terms.biases = {position_bias(values, -101, positions, positions)};
    return terms;
  };
  expect_naive(qkv, terms(), {[&](Index b, Index h, Index i, Index j) {
                 const Index away = whole[static_cast<std::size_t>(b * 7 + i)] - whole[static_cast<std::size_t>(b * 7 + j)];
                 return product(qkv, b, h, i, j) / 2 + values.data<double>()[h * 203 + away + 101];
               }});
  expect_difference_quotients({qkv, values}, terms);
}

struct Lookup {
  const char* name;
  OffsetSide side;
  bool shared_by_heads, shared_by_sequences;
};

class Offsets : public testing::TestWithParam<Lookup> {
 protected:
  static constexpr Index low = -2, count = 6;

  Tensor rows_ = parameter(draw({GetParam().shared_by_heads ? 1 : heads, count, width}, "rows"));
  Tensor qkv_ = parameter(queries_keys_values(2, 7));

  AttentionTerms terms() const {
    AttentionTerms terms;
    const std::vector<std::int32_t> all{0, 1, 2, 4, 5, 6, 30, 7, 9, 10, 11, 15, 12, 3};  // of the second not even in order
    const Index sequences = GetParam().shared_by_sequences ? 1 : 2;
    terms.query_positions = terms.key_positions =
        Tensor::of(std::vector<std::int32_t>(all.begin(), all.begin() + 7 * sequences), {sequences, 7});
    terms.offsets = {{GetParam().side, rows_, low}};
    return terms;
  }
};

TEST_P(Offsets, AreVectorsOfTheClippedDistance) {
  const AttentionTerms all = terms();
  const auto element = [&](Index b, Index h, Index i, Index j, Index c) {
    const std::int32_t* positions = all.query_positions.data<std::int32_t>() + (GetParam().shared_by_sequences ? 0 : 7 * b);
    const Index row = std::clamp<Index>(positions[i] - positions[j], low, low + count - 1) - low;
    return rows_.data<double>()[((GetParam().shared_by_heads ? 0 : h) * count + row) * width + c];
  };
  Expected expected;
  expected.score = [&](Index b, Index h, Index i, Index j) {
    double total = product(qkv_, b, h, i, j);
    for (Index c = 0; c < width && GetParam().side != OffsetSide::value; ++c) {
      const bool by_query = GetParam().side == OffsetSide::query;
      total += at(qkv_, by_query ? 0 : 1, b, h, by_query ? i : j, c) * element(b, h, i, j, c);
    }
    return total / 2;
  };
  expected.value = [&](Index b, Index h, Index i, Index j, Index c) {
    return at(qkv_, 2, b, h, j, c) + (GetParam().side == OffsetSide::value ? element(b, h, i, j, c) : 0);
  };
  expect_naive(qkv_, all, expected);
}

TEST_P(Offsets, HaveGradientsThatAgreeWithDifferences) {
  expect_difference_quotients({qkv_, rows_}, [&] { return terms(); });
}

INSTANTIATE_TEST_SUITE_P(
    Terms, Offsets,
    testing::Values(Lookup{"query", OffsetSide::query, false, false}, Lookup{"query_shared", OffsetSide::query, true, true},
                    Lookup{"key", OffsetSide::key, false, false}, Lookup{"key_shared", OffsetSide::key, true, true},
                    Lookup{"value", OffsetSide::value, false, false}, Lookup{"value_shared", OffsetSide::value, true, true}),
    [](const auto& info) { return info.param.name; });

/// Third `which` of qkv.
Tensor third(const Tensor& qkv, Index which) { return packed(slice(qkv, 2, which * inner, (which + 1) * inner)); }

/// Terms of nine tokens, for the last `queries` of them that look at all.
AttentionTerms terms_of_the_last(Index queries, bool dense) {
  const auto last = [&](const Tensor& x, int axis) { return packed(slice(x, axis, 9 - queries, 9)); };
  const Tensor angles = draw({9, 2}, "angles"), values = draw({heads, 17}, "values");
  const Tensor positions = Tensor::of(std::vector<std::int32_t>{0, 1, 2, 4, 5, 6, 9, 10, 12}, {1, 9});
  AttentionTerms terms;
  terms.query_factor = last(draw({9, 1}, "factor"), 0);
  terms.query_rotation = tables_of(last(angles, 0), true);
  terms.key_rotation = tables_of(angles, true);
  terms.query_positions = last(positions, 1);
  terms.key_positions = positions;
  terms.offsets = {{OffsetSide::query, draw({1, 5, width}, "aK"), 0}, {OffsetSide::value, draw({heads, 5, width}, "aV"), 0}};
  terms.biases = {distance_bias(packed(slice(values, 1, 0, queries + 8)))};  // key − query from −8 on, up to queries − 1
  if (dense) terms.biases.push_back(std::make_shared<DenseAlone>(Tensor::zeros({heads, 1, 1}, Type::f64)));
  return terms;
}

TEST(FewerQueriesThanKeys, AreTheLastOfTheTokens) {
  const Tensor qkv = queries_keys_values(2, 9);
  const Form attention_of_all = attention;
  for (bool dense : {false, true}) {
    const Tensor whole = attention_of_all(qkv, heads, terms_of_the_last(9, dense));
    for (Index queries : {1, 4, 9}) {
      SCOPED_TRACE(fmt::format("{} queries, {}", queries, dense ? "dense" : "in blocks"));
      const auto last = [&](const Tensor& x) { return packed(slice(x, 1, 9 - queries, 9)); };
      const Tensor found = attention(last(third(qkv, 0)), third(qkv, 1), third(qkv, 2), heads, terms_of_the_last(queries, dense));
      EXPECT_LT(largest_difference(found, last(whole)), 1e-12);
    }
  }
}

// More queries than keys: the first ones see none.
TEST(MoreQueriesThanKeys, RowsThatSeeNothingAreZeroInBothForms) {
  const Tensor query = draw({2, 9, inner}, "q"), key = draw({2, 4, inner}, "k"), value = draw({2, 4, inner}, "v");
  AttentionTerms blocks, dense;
  dense.biases = {std::make_shared<DenseAlone>(Tensor::zeros({heads, 1, 1}, Type::f64))};
  const Tensor in_blocks = attention(query, key, value, heads, blocks), densely = attention(query, key, value, heads, dense);
  EXPECT_LT(largest_difference(in_blocks, densely), 1e-12);
  for (const Tensor& y : {in_blocks, densely}) {
    EXPECT_EQ(packed(slice(y, 1, 0, 5)).values(), std::vector<double>(2 * 5 * inner, 0.0));
    EXPECT_LT(largest_difference(slice(y, 1, 5, 6), slice(value, 1, 0, 1)), 1e-12);  // the first that sees a key sees one
  }
}

TEST(MoreQueriesThanKeys, RowsThatSeeNothingHaveNoGradient) {
  const Tensor query = parameter(draw({2, heads, 9, width}, "q")), key = parameter(draw({2, heads, 4, width}, "k"));
  const Tensor value = parameter(draw({2, heads, 4, width}, "v"));
  for (const kernels::Range queries : {kernels::Range{0, 9}, kernels::Range{0, 5}}) {
    const Tensor y = dense_attention({query, key, value}, {}, {}, queries);
    const Tensors found = gradients(loss_of(y), {query, key, value});
    EXPECT_EQ(packed(slice(found[0], 2, 0, 5)).values(), std::vector<double>(2 * heads * 5 * width, 0.0));
    for (const Tensor& gradient : found) {
      for (double slope : gradient.values()) ASSERT_TRUE(std::isfinite(slope));
    }
    const std::vector<double> of_values = found[2].values();
    EXPECT_EQ(std::any_of(of_values.begin(), of_values.end(), [](double slope) { return slope != 0; }), queries.end == 9);
  }
}

}  // namespace
}  // namespace ropewalk
