#include "tests/ops/attention_rows.hpp"

#include <cmath>

#include "framework/ops/distance_bias.hpp"

namespace ropewalk {
namespace {

using naive::Array;
using naive::Arrays;

constexpr Index heads = 2;

double angle(Index position, Index pair) { return static_cast<double>(position) * std::pow(0.3, static_cast<double>(pair)); }

Index pairs_of(const AttentionKind& kind, Index width) { return width / 2 * kind.pairs_per_mille / 1000; }

/// One head's query or key with its pairs turned by the angles of its position.
void rotate(const AttentionKind& kind, Index position, std::vector<double>& head) {
  const Index pairs = pairs_of(kind, static_cast<Index>(head.size()));
  for (Index pair = 0; pair < pairs; ++pair) {
    double& a = head[static_cast<std::size_t>(kind.interleaved ? 2 * pair : pair)];
    double& b = head[static_cast<std::size_t>(kind.interleaved ? 2 * pair + 1 : pair + pairs)];
    const double cosine = std::cos(angle(position, pair)), sine = std::sin(angle(position, pair)), before = a;
    a = before * cosine - b * sine;
    b = before * sine + b * cosine;
  }
}

/// Head `head` of part 0 (query), 1 (key) or 2 (value) at a position.
std::vector<double> part_of(const Array& qkv, Index batch, Index position, Index part, Index head) {
  const Index width = qkv.shape[2] / 3 / heads;
  std::vector<double> values;
  for (Index j = 0; j < width; ++j) values.push_back(qkv.at({batch, position, (part * heads + head) * width + j}));
  return values;
}

/// Weights of all the keys that a query sees.
std::vector<double> weights_of(const AttentionKind& kind, const Arrays& x, Index batch, Index query, Index head) {
  const Index length = x[0].shape[1], keys = kind.causal ? query + 1 : length;
  std::vector<double> q = part_of(x[0], batch, query, 0, head), scores;
  rotate(kind, query, q);
  for (Index key = 0; key < keys; ++key) {
    std::vector<double> k = part_of(x[0], batch, key, 1, head);
    rotate(kind, key, k);
    double score = 0;
    for (std::size_t j = 0; j < q.size(); ++j) score += q[j] * k[j];
    score /= std::sqrt(static_cast<double>(q.size()));
    scores.push_back(score + (kind.biased ? x[1].at({head, key - query + length - 1}) : 0));
  }
  return naive::softmax(scores);
}

Array naive_attention(const AttentionKind& kind, const Arrays& x) {
  const Shape& shape = x[0].shape;
  const Index width = shape[2] / 3 / heads;
  return naive::build({shape[0], shape[1], shape[2] / 3}, [&](const Shape& index) {
    const Index head = index[2] / width, column = index[2] % width;
    const std::vector<double> weights = weights_of(kind, x, index[0], index[1], head);
    double sum = 0;
    for (std::size_t key = 0; key < weights.size(); ++key) {
      sum += weights[key] * x[0].at({index[0], static_cast<Index>(key), (2 * heads + head) * width + column});
    }
    return sum;
  });
}

using Form = Tensor (*)(const Tensor&, Index, const AttentionTerms&);

OpRow attention_row(const std::string& name, Form form, const AttentionKind& kind) {
  OpRow row{name + "_" + kind.name, {}, {}, {}};
  for (const Shape& qkv : {Shape{2, 5, 24}, Shape{1, 1, 24}, Shape{0, 3, 24}, Shape{2, 0, 24}}) {
    row.shapes.push_back({qkv});
    if (kind.biased) row.shapes.back().push_back({heads, std::max<Index>(1, 2 * qkv[1] - 1)});
  }
  row.function = [form, kind](const Tensors& x) {
    const Tensor bias = kind.biased ? x[1] : Tensor();
    return form(x[0], heads, terms_of(kind, x[0].dim(1), x[0].dim(2) / 3 / heads, bias, x[0].type()));
  };
  row.naive = [kind](const Arrays& x) { return naive_attention(kind, x); };
  return row;
}

}  // namespace

const std::vector<AttentionKind>& attention_kinds() {
  static const std::vector<AttentionKind> kinds{
      {.name = "causal"},
      {.name = "full", .causal = false},
      {.name = "rotated", .pairs_per_mille = 1000},
      {.name = "rotated_half", .pairs_per_mille = 1000, .interleaved = false},
      {.name = "rotated_partly", .pairs_per_mille = 500},
      {.name = "rotated_half_partly", .pairs_per_mille = 500, .interleaved = false},
      {.name = "biased", .biased = true},
      {.name = "everything_full", .causal = false, .pairs_per_mille = 1000, .biased = true},
  };
  return kinds;
}

AttentionTerms terms_of(const AttentionKind& kind, Index length, Index width, const Tensor& bias, Type type) {
  AttentionTerms terms;
  terms.causal = kind.causal;
  if (kind.biased) terms.biases = {distance_bias(bias)};
  if (kind.pairs_per_mille == 0) return terms;
  const Shape table{length, pairs_of(kind, width)};
  terms.query_rotation.interleaved = kind.interleaved;
  terms.query_rotation.cosine =
      naive::tensor(naive::build(table, [](const Shape& i) { return std::cos(angle(i[0], i[1])); }), type);
  terms.query_rotation.sine =
      naive::tensor(naive::build(table, [](const Shape& i) { return std::sin(angle(i[0], i[1])); }), type);
  terms.key_rotation = terms.query_rotation;
  return terms;
}

std::vector<OpRow> attention_rows() {
  std::vector<OpRow> rows;
  for (const AttentionKind& kind : attention_kinds()) {
    rows.push_back(attention_row("attention", attention, kind));
    rows.push_back(attention_row("attention_reference", attention_reference, kind));
  }
  return rows;
}

}  // namespace ropewalk
