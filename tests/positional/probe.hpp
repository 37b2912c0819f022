// Scores as attention itself computes them, read off its output.
#pragma once

#include <functional>

#include "framework/ops/attention.hpp"
#include "framework/ops/elementwise.hpp"
#include "tests/nn/toy.hpp"

namespace ropewalk::toy {

using Rows = std::vector<std::vector<double>>;

/// What a prepared scheme that does not read its layer's input adds to attention in f64.
inline AttentionTerms terms_of(const positional::Scheme& scheme, const positional::Positions& positions) {
  AttentionTerms terms;
  if (const positional::Effect effect = scheme.effect(positions, Type::f64)) effect(terms, {});
  return terms;
}

/// Scores [T, T] of one head, each row less its first entry, without a mask, under the terms of a prepared scheme. Values are
/// one-hot, so that the output is the weights; hence T at most the head width d. q and k are [T, d].
inline Rows relative_scores(const Rows& q, const Rows& k, const positional::Scheme& scheme,
                            const positional::Positions& positions) {
  const std::size_t length = q.size(), width = q[0].size();
  std::vector<double> qkv;
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<double> value(width, 0.0);
    value[i] = 1;
    for (const std::vector<double>& part : {q[i], k[i], value}) qkv.insert(qkv.end(), part.begin(), part.end());
  }
  AttentionTerms terms = terms_of(scheme, positions);
  terms.causal = false;
  const Shape shape{1, static_cast<Index>(length), static_cast<Index>(3 * width)};
  const std::vector<double> weights = attention(Tensor::of(qkv, shape, Type::f64), 1, terms).values();
  Rows scores(length, std::vector<double>(length));
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t j = 0; j < length; ++j) scores[i][j] = std::log(weights[i * width + j] / weights[i * width]);
  }
  return scores;
}

/// Normal numbers [rows, columns].
inline Rows random_rows(std::size_t rows, std::size_t columns, const char* purpose) {
  Stream stream = Random(5).stream(purpose);
  Rows result(rows, std::vector<double>(columns));
  for (std::vector<double>& row : result) {
    for (double& value : row) value = stream.normal();
  }
  return result;
}

/// The biases of a prepared scheme, added up: dense [H, T, T].
inline Tensor dense_bias(const positional::Scheme& scheme, const positional::Positions& positions) {
  const AttentionTerms terms = terms_of(scheme, positions);
  const Index length = positions.length();
  const Index heads = terms.biases.at(0)->inputs().empty() ? 1 : terms.biases[0]->inputs()[0].dim(0);
  const Tensor none = Tensor::zeros({1, heads, length, 1}, Type::f64);
  const DenseBlock block{none, none, {0, length}, length, length, 1};
  return packed(terms.biases[0]->dense(block, terms.biases[0]->inputs()));
}

inline Tensor dense_bias(const positional::Scheme& scheme, Index length) {
  return dense_bias(scheme, positional::contiguous(length));
}

/// A scheme of this kind for a model, in f64.
inline std::unique_ptr<positional::Scheme> prepared(const std::string& kind, const Values& values,
                                                    const positional::Context& context) {
  auto scheme = toy::scheme(kind, values);
  scheme->prepare(context, Random(0), Type::f64);
  return scheme;
}

/// A parameter of a scheme.
inline Tensor& symbol(positional::Scheme& scheme, const std::string& name) {
  for (const Parameter& parameter : scheme.parameters()) {
    if (parameter.name == name) return *parameter.tensor;
  }
  throw Error(fmt::format("symbol: no parameter '{}'", name));
}

/// Gives a parameter values, and lets its gradient be asked for.
inline Tensor set(positional::Scheme& scheme, const std::string& name, const std::vector<double>& values) {
  Tensor& place = symbol(scheme, name);
  return place = parameter(Tensor::of(values, place.shape(), Type::f64));
}

/// The same with normal numbers; the small ones that a scheme starts from would hide in the sums of others.
inline Tensor set_normal(positional::Scheme& scheme, const std::string& name) {
  return set(scheme, name, normal(symbol(scheme, name).shape(), 1, Random(8).stream(name), Type::f64).values());
}

/// Random queries, keys and values of one sequence, one number at a time.
struct Heads {
  Index heads, length, width;
  Tensor qkv = normal({1, length, 3 * heads* width}, 1, Random(6).stream("qkv"), Type::f64);

  double& at(Index part, Index head, Index token, Index element) const {
    return qkv.data<double>()[(token * 3 + part) * heads * width + head * width + element];
  }
  double q(Index head, Index token, Index element) const { return at(0, head, token, element); }
  double k(Index head, Index token, Index element) const { return at(1, head, token, element); }
  double v(Index head, Index token, Index element) const { return at(2, head, token, element); }

  /// q·k before any scale.
  double product(Index head, Index query, Index key) const {
    double sum = 0;
    for (Index c = 0; c < width; ++c) sum += q(head, query, c) * k(head, key, c);
    return sum;
  }
  /// Queries (0) or keys (1) of nothing but zeros.
  void clear(Index part) const {
    for (Index h = 0; h < heads; ++h) {
      for (Index t = 0; t < length; ++t) {
        for (Index c = 0; c < width; ++c) at(part, h, t, c) = 0;
      }
    }
  }
};

/// The score of a query and a key in a head, as a test works it out.
using Score = std::function<double(Index head, Index query, Index key)>;
/// An element of the value that a query gets from a key.
using ValueOf = std::function<double(Index head, Index query, Index key, Index element)>;

/// softmax(score) · value under the mask or without, by plain loops: [T, H d].
inline std::vector<double> mixed(const Heads& x, bool causal, const Score& score, const ValueOf& value) {
  std::vector<double> output;
  for (Index i = 0; i < x.length; ++i) {
    for (Index h = 0; h < x.heads; ++h) {
      const Index keys = causal ? i + 1 : x.length;
      double total = 0;
      std::vector<double> sums(static_cast<std::size_t>(x.width));
      for (Index j = 0; j < keys; ++j) {
        const double weight = std::exp(score(h, i, j));
        total += weight;
        for (Index c = 0; c < x.width; ++c) sums[static_cast<std::size_t>(c)] += weight * value(h, i, j, c);
      }
      for (double sum : sums) output.push_back(sum / total);
    }
  }
  return output;
}

/// Holds attention under these terms to scores, and values, that a test works out by itself.
inline void expect_scores(const Heads& x, const AttentionTerms& terms, const Score& expected, const ValueOf& value) {
  const std::vector<double> scores = attention_map(x.qkv, x.heads, terms).scores.values();
  for (Index h = 0; h < x.heads; ++h) {
    for (Index i = 0; i < x.length; ++i) {
      for (Index j = 0; j < (terms.causal ? i + 1 : x.length); ++j) {
        ASSERT_NEAR(scores[static_cast<std::size_t>((h * x.length + i) * x.length + j)], expected(h, i, j), 1e-11)
            << "head " << h << ", " << i << " looking at " << j;
      }
    }
  }
  const std::vector<double> output = attention(x.qkv, x.heads, terms).values();
  const std::vector<double> naive = mixed(x, terms.causal, expected, value);
  ASSERT_EQ(output.size(), naive.size());
  for (std::size_t n = 0; n < naive.size(); ++n) ASSERT_NEAR(output[n], naive[n], 1e-11) << "element " << n;
}

inline void expect_scores(const Heads& x, const AttentionTerms& terms, const Score& expected) {
  expect_scores(x, terms, expected, [&x](Index h, Index, Index j, Index c) { return x.v(h, j, c); });
}

/// Under the mask and without.
inline void expect_scores(const Heads& x, const positional::Scheme& scheme, const positional::Positions& positions,
                          const Score& expected) {
  AttentionTerms terms = terms_of(scheme, positions);
  for (bool causal : {true, false}) {
    SCOPED_TRACE(causal ? "decoder" : "encoder");
    terms.causal = causal;
    expect_scores(x, terms, expected);
  }
}

/// Gradients of a sum of attention's outputs with random weights.
inline Tensors attention_gradients(const Heads& x, const AttentionTerms& terms, const Tensors& leaves) {
  const Tensor y = attention(x.qkv, x.heads, terms);
  return gradients(sum(multiply(y, normal(y.shape(), 1, Random(9).stream("weights"), Type::f64))), leaves);
}

/// Seven positions at even distances, at whole ones with gaps, and at any.
inline const std::vector<positional::Positions> kinds_of_positions{
    positional::contiguous(7, 2), {0, 1, 3, 4, 8, 30, 31}, {0, 0.75, 2.5, 3, 7.25, 8, 41.5}};

/// All that a scheme has to say against a model, "setting: reason".
inline std::vector<std::string> complaints(const positional::Scheme& scheme, const positional::Context& context,
                                           const std::vector<Index>& lengths = {}) {
  std::vector<std::string> found;
  for (const positional::Complaint& complaint : positional::complaints_about(scheme, context, lengths)) {
    found.push_back(complaint.setting + ": " + complaint.reason);
  }
  return found;
}

}  // namespace ropewalk::toy
