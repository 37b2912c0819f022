// A learned tensor of a model, by name.
#pragma once

#include <string>
#include <vector>

#include "framework/core/tensor.hpp"

namespace ropewalk {

struct Parameter {
  std::string name;          ///< as in the checkpoint: "blocks.0.attention.qkv.weight"
  Tensor* tensor = nullptr;  ///< where the module keeps it
  bool decays = false;       ///< subject to weight decay: matrices, not norms, biases or embeddings of positions
};

using Parameters = std::vector<Parameter>;

}  // namespace ropewalk
