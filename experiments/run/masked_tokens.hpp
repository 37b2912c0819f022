// Masked language modelling: some tokens are hidden and to be predicted from all others.
#pragma once

#include "experiments/run/dataset.hpp"

namespace ropewalk {

/// Each chosen token is replaced by the mask token and is itself the target of its place; nothing else is scored (Devlin et al.
/// 2019, section 3.1, but for the tenth of the chosen tokens that they leave and the tenth that they replace by a random one).
class MaskedTokens final : public Objective {
 public:
  /// The token after all bytes.
  static constexpr std::int32_t mask = Corpus::vocabulary;

  /// `rate`: the fraction that is chosen, in (0, 1).
  explicit MaskedTokens(double rate) : rate_(rate) {}

  Index vocabulary() const override { return Corpus::vocabulary + 1; }
  /// Chooses max(1, round(rate · length)) tokens of each window, any of them alike, drawn from the stream ("mask", step): equally
  /// many in each, so the mean over a batch is that over the means of its windows.
  Batch training(const Corpus& corpus, const std::vector<Index>& starts, Index length, const Random& random,
                 Index step) const override;
  /// Chooses a token with probability `rate` by its place in the held-out part alone: at every length, and in every run, the same
  /// tokens; at a higher rate, these and more.
  Batch held_out(const Corpus& corpus, const std::vector<Index>& starts, Index length) const override;

 private:
  double rate_;
};

}  // namespace ropewalk
