// Settings of a Transformer.
#pragma once

#include <string>

#include "framework/core/fields.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/positional/sampler.hpp"
#include "framework/positional/scheme.hpp"

namespace ropewalk::nn {

struct TransformerSettings {
  std::string kind = "decoder";
  Index layers = 2;
  Index heads = 4;
  Index width = 64;
  Index hidden = 0;
  std::string activation = "gelu";
  std::string norm = "layer";
  double dropout = 0;
  bool tie_embeddings = false;
  Choice<positional::Scheme> position{positional::schemes(), "none"};
  Choice<positional::Sampler> positions{positional::samplers(), "contiguous"};

  void describe(Fields& fields);
  /// Puts what the model implies in the place of settings left open (`hidden`, and those of the scheme). `before`: the length
  /// that an earlier stage was trained on; 0: there was none.
  void resolve(Index trained_length, const positional::Marks& marks = {}, Index before = 0);

  Index hidden_width() const { return hidden > 0 ? hidden : 4 * width; }
  bool causal() const { return kind == "decoder"; }
  /// What a scheme has to know, for a model trained on `length` tokens.
  positional::Context context(Index length, const positional::Marks& marks = {}) const {
    return {width, heads, length, causal(), positions->reach(length), marks};
  }
};

}  // namespace ropewalk::nn
