#include "framework/ops/score_term.hpp"

#include <algorithm>

namespace ropewalk {

Tensor hidden_keys(const DenseBlock& block) {
  const Index keys = block.keys();
  Tensor mask = Tensor::zeros({block.queries.size(), keys}, Type::i32);
  for (Index i = 0; i < block.queries.size(); ++i) {
    for (Index j = std::max<Index>(0, block.last_seen(i) + 1); j < keys; ++j) mask.data<std::int32_t>()[i * keys + j] = 1;
  }
  return mask;
}

}  // namespace ropewalk
