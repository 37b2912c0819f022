// A model in training: its parameters, the optimizer's moments, and one step after another.
#pragma once

#include <memory>

#include "experiments/config/settings.hpp"
#include "experiments/record/checkpoint.hpp"
#include "experiments/run/shards.hpp"
#include "framework/optimize/optimizer.hpp"

namespace ropewalk {

/// What a step did.
struct StepResult {
  double loss = 0;           ///< mean nats per scored token, before the update
  double gradient_norm = 0;  ///< before clipping
  double rate = 0;
  bool finite = true;  ///< false: the loss or the gradient is not, and nothing was updated
};

class Trainer {
 public:
  Trainer(const config::Settings& settings, std::shared_ptr<const Corpus> corpus, Crew& crew, std::shared_ptr<Meter> meter);

  StepResult step();
  Index steps_done() const { return step_; }
  Index tokens_seen() const { return tokens_; }
  const nn::Transformer& model() const { return *model_; }
  const Random& random() const { return random_; }

  /// The batch of a step, counted from 0.
  Batch batch(Index step) const;

  /// Everything needed to go on; `restore` expects the same model and throws `FileError` if the names or shapes differ.
  Checkpoint save() const;
  void restore(const Checkpoint& checkpoint);

 private:
  const config::Settings& settings_;
  std::shared_ptr<const Corpus> corpus_;
  Crew& crew_;
  std::shared_ptr<Meter> meter_;
  Random random_;
  std::unique_ptr<nn::Transformer> model_;
  std::unique_ptr<ShardedGradient> gradient_;
  optimize::Moments moments_;
  std::vector<optimize::Segment> segments_;
  Index step_ = 0, tokens_ = 0;
};

}  // namespace ropewalk
