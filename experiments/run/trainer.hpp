// A model in training: its parameters, the optimizer's moments, and one step after another, on one rank or on many.
#pragma once

#include <memory>

#include "experiments/config/settings.hpp"
#include "experiments/record/checkpoint.hpp"
#include "experiments/run/attention.hpp"
#include "experiments/run/evaluation.hpp"
#include "experiments/run/ranks.hpp"
#include "experiments/run/shards.hpp"
#include "framework/core/parallel.hpp"
#include "framework/optimize/optimizer.hpp"

namespace ropewalk {

/// What a step did.
struct StepResult {
  double loss = 0;           ///< mean nats per scored token, before the update
  double gradient_norm = 0;  ///< before clipping
  double rate = 0;
  bool finite = true;  ///< false: the loss or the gradient is not, and nothing was updated
};

/// Trains one stage: steps are counted through, so that each has data of its own, while moments, warm-up and schedule begin with
/// the stage. On the rank that leads, what it is called for is called for on the others too: those are in `follow`, each with a
/// trainer of the same settings. They have the leader's parameters for as long as a step or an evaluation takes; its moments stay
/// with it.
class Trainer {
 public:
  Trainer(const config::Settings& settings, std::shared_ptr<const Corpus> corpus, Crew& crew, std::shared_ptr<Meter> meter,
          Ranks& ranks = alone(), Index steps_before = 0);

  StepResult step();
  /// Under `settings.evaluate`; nothing if `progress` gave it up.
  std::optional<std::vector<Score>> evaluate(const EvaluationProgress& progress = {});
  /// At the same lengths.
  std::optional<AttentionMeans> attention(const EvaluationProgress& progress = {});

  /// This rank's share of a step, of an evaluation, and of the measure of attention, for parameters that all ranks have. What
  /// comes of it is the leader's.
  double loss_and_gradient(Index step);
  std::optional<std::vector<Score>> scores(const EvaluationProgress& progress = {});
  std::optional<AttentionMeans> attention_means(const EvaluationProgress& progress = {});

  Index steps_done() const { return step_; }
  Index tokens_seen() const { return tokens_; }
  const nn::Transformer& model() const { return *model_; }
  const Random& random() const { return random_; }
  Dataset dataset() const { return {*corpus_, *objective_}; }

  /// The batch of a step, counted from 0.
  Batch batch(Index step) const;

  /// Starts from the parameters of another training, with new moments and a new schedule, as that training's next stage if it had
  /// `steps_before` steps. Throws `FileError` if they do not fit: see `take_over`.
  void start_from(const Checkpoint& other, bool same_scheme);

  /// Everything needed to go on; `restore` expects the same model and throws `FileError` if the names or shapes differ.
  Checkpoint save() const;
  void restore(const Checkpoint& checkpoint);

 private:
  ParallelScope crew_scope();

  const config::Settings& settings_;
  std::shared_ptr<const Corpus> corpus_;
  std::unique_ptr<const Objective> objective_;
  Crew& crew_;
  std::shared_ptr<Meter> meter_;
  Ranks& ranks_;
  Random random_;
  std::unique_ptr<nn::Transformer> model_;
  std::unique_ptr<ShardedGradient> gradient_;
  optimize::Moments moments_;
  std::vector<optimize::Segment> segments_;
  const Index steps_before_;  ///< of earlier stages
  Index step_, tokens_ = 0;
};

}  // namespace ropewalk
