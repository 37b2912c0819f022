// What a model keeps of the tokens it has seen, so that the next one costs no more than its own share of the work.
#pragma once

#include <vector>

#include "framework/core/tensor.hpp"

namespace ropewalk::nn {

/// Keys are kept as they were projected, not rotated: what a scheme does to them may depend on how many there are by now.
class Cache {
 public:
  struct Layer {
    Tensor key, value;  ///< [B, T, D]
    Tensor input;       ///< [B, T, D], what the layer's attention read: some schemes' biases depend on it
  };

  Index length() const { return tokens_.defined() ? tokens_.dim(1) : 0; }
  /// i32 [B, T]
  const Tensor& tokens() const { return tokens_; }

  void append_tokens(const Tensor& tokens);
  /// Takes in a layer's input [B, n, D] and projections qkv [B, n, 3D]; returns all there is of that layer.
  const Layer& append(Index layer, const Tensor& input, const Tensor& qkv);
  /// Keeps the tokens alone.
  void forget_layers() { layers_.clear(); }

 private:
  Tensor tokens_;
  std::vector<Layer> layers_;
};

}  // namespace ropewalk::nn
