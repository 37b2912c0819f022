// A text, and what a model is to predict of it.
#pragma once

#include "experiments/run/batch.hpp"
#include "framework/core/random.hpp"

namespace ropewalk {

/// Makes batches of windows of `length` tokens that begin at `starts`, which leave room for one token more.
class Objective {
 public:
  virtual ~Objective() = default;
  /// How many tokens there are: those of the text, and any that it puts into it.
  virtual Index vocabulary() const = 0;
  /// For a training step.
  virtual Batch training(const Corpus& corpus, const std::vector<Index>& starts, Index length, const Random& random,
                         Index step) const = 0;
  /// Of the held-out part. The same whatever the seed: all models are asked the same.
  virtual Batch held_out(const Corpus& corpus, const std::vector<Index>& starts, Index length) const = 0;
};

/// At each token the one that follows.
class NextToken final : public Objective {
 public:
  Index vocabulary() const override { return Corpus::vocabulary; }
  Batch training(const Corpus& corpus, const std::vector<Index>& starts, Index length, const Random& random,
                 Index step) const override;
  Batch held_out(const Corpus& corpus, const std::vector<Index>& starts, Index length) const override;
};

const Objective& next_token();

/// Refers to both, for as long as a call takes.
struct Dataset {
  Dataset(const Corpus& corpus, const Objective& objective = next_token()) : corpus(corpus), objective(objective) {}

  const Corpus& corpus;
  const Objective& objective;
};

/// The training batch of a step: windows that begin anywhere in the training part, drawn from the stream ("data", step).
Batch training_batch(const Dataset& dataset, const Random& random, Index step, Index rows, Index length);

}  // namespace ropewalk
