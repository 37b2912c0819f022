#include "experiments/run/batch.hpp"

#include <algorithm>

namespace ropewalk {

Batch windows(const Corpus& corpus, const std::vector<Index>& starts, Index length) {
  const auto rows = static_cast<Index>(starts.size());
  Batch batch{Tensor::empty({rows, length}, Type::i32), Tensor::empty({rows, length}, Type::i32), rows * length};
  for (Index row = 0; row < rows; ++row) {
    const std::uint8_t* text = corpus.tokens.data() + starts[static_cast<std::size_t>(row)];
    std::copy_n(text, length, batch.tokens.data<std::int32_t>() + row * length);
    std::copy_n(text + 1, length, batch.targets.data<std::int32_t>() + row * length);
  }
  return batch;
}

}  // namespace ropewalk
