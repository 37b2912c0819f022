#include "experiments/run/dataset.hpp"

namespace ropewalk {

Batch NextToken::training(const Corpus& corpus, const std::vector<Index>& starts, Index length, const Random&, Index) const {
  return windows(corpus, starts, length);
}

Batch NextToken::held_out(const Corpus& corpus, const std::vector<Index>& starts, Index length) const {
  return windows(corpus, starts, length);
}

const Objective& next_token() {
  static const NextToken objective;
  return objective;
}

Batch training_batch(const Dataset& dataset, const Random& random, Index step, Index rows, Index length) {
  Stream stream = random.stream("data", static_cast<std::uint64_t>(step));
  std::vector<Index> starts;
  for (Index row = 0; row < rows; ++row) {
    starts.push_back(static_cast<Index>(stream.below(static_cast<std::uint64_t>(dataset.corpus.training - length))));
  }
  return dataset.objective.training(dataset.corpus, starts, length, random, step);
}

}  // namespace ropewalk
