#include "experiments/run/masked_tokens.hpp"

#include <algorithm>
#include <cmath>

namespace ropewalk {
namespace {

/// Whether each token of a batch is chosen, row by row.
using Chosen = std::vector<bool>;

Batch masked(Batch batch, const Chosen& chosen) {
  auto* token = batch.tokens.data<std::int32_t>();
  auto* target = batch.targets.data<std::int32_t>();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    target[i] = chosen[i] ? token[i] : -1;
    if (chosen[i]) token[i] = MaskedTokens::mask;
  }
  batch.scored = std::count(chosen.begin(), chosen.end(), true);
  return batch;
}

/// Appends a choice of `count` out of `length`: Knuth, The Art of Computer Programming 2, section 3.4.2, algorithm S.
void choose(Index count, Index length, Stream& stream, Chosen& chosen) {
  for (Index left = length; left > 0; --left) {
    const bool is_chosen = static_cast<Index>(stream.below(static_cast<std::uint64_t>(left))) < count;
    chosen.push_back(is_chosen);
    count -= is_chosen ? 1 : 0;
  }
}

}  // namespace

Batch MaskedTokens::training(const Corpus& corpus, const std::vector<Index>& starts, Index length, const Random& random,
                             Index step) const {
  const Index count = std::max<Index>(1, std::llround(rate_ * static_cast<double>(length)));
  Stream stream = random.stream("mask", static_cast<std::uint64_t>(step));
  Chosen chosen;
  for (std::size_t row = 0; row < starts.size(); ++row) choose(count, length, stream, chosen);
  return masked(windows(corpus, starts, length), chosen);
}

Batch MaskedTokens::held_out(const Corpus& corpus, const std::vector<Index>& starts, Index length) const {
  const Random fixed(0);
  Chosen chosen;
  for (const Index start : starts) {
    for (Index place = start - corpus.training; place < start - corpus.training + length; ++place) {
      chosen.push_back(fixed.stream("mask held out", static_cast<std::uint64_t>(place)).uniform() < rate_);
    }
  }
  return masked(windows(corpus, starts, length), chosen);
}

}  // namespace ropewalk
