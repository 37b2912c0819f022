// Scores as attention itself computes them, read off its output.
#pragma once

#include "framework/ops/attention.hpp"
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

}  // namespace ropewalk::toy
