#include "experiments/run/trainer.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/errors.hpp"
#include "experiments/run/followers.hpp"
#include "experiments/run/parameters.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {
namespace {

/// Neighbouring parameters that decay alike, as one stretch.
std::vector<optimize::Segment> decay_segments(const Parameters& parameters) {
  std::vector<optimize::Segment> segments;
  Index at = 0;
  for (const Parameter& parameter : parameters) {
    const Index end = at + parameter.tensor->size();
    if (!segments.empty() && segments.back().decays == parameter.decays) {
      segments.back().end = end;
    } else {
      segments.push_back({at, end, parameter.decays});
    }
    at = end;
  }
  return segments;
}

}  // namespace

Trainer::Trainer(const config::Settings& settings, std::shared_ptr<const Corpus> corpus, Crew& crew, std::shared_ptr<Meter> meter,
                 Ranks& ranks, Index steps_before)
    : settings_(settings),
      corpus_(std::move(corpus)),
      objective_(objective_of(settings)),
      crew_(crew),
      meter_(std::move(meter)),
      ranks_(ranks),
      random_(static_cast<std::uint64_t>(settings.seed)),
      model_(std::make_unique<nn::Transformer>(settings.model, vocabulary_of(settings), settings.train.length, random_)),
      gradient_(std::make_unique<ShardedGradient>(*model_, settings.train.shards, settings.model.hidden_width(), ranks)),
      moments_{Tensor::zeros({model_->parameter_count()}), Tensor::zeros({model_->parameter_count()})},
      segments_(decay_segments(model_->parameters())),
      steps_before_(steps_before),
      step_(steps_before) {
  if (corpus_->training <= settings.train.length) {
    throw UsageError(fmt::format("train.length: expected fewer than the {} training tokens of the corpus, got {}",
                                 corpus_->training, settings.train.length));
  }
  if (ranks_.leads()) have_them_begin(ranks_, settings_, corpus_->fingerprint);
}

Batch Trainer::batch(Index step) const {
  return training_batch(dataset(), random_, step, settings_.train.batch, settings_.train.length);
}

StepResult Trainer::step() {
  have_them_step(ranks_, step_, model_->flat());
  StepResult result;
  result.loss = loss_and_gradient(step_);
  const ParallelScope scope = crew_scope();
  result.gradient_norm = optimize::global_norm(gradient_->gradient());
  result.rate =
      settings_.train.optimizer->rate() * settings_.train.schedule->factor(step_ - steps_before_, settings_.train.steps);
  result.finite = std::isfinite(result.loss) && std::isfinite(result.gradient_norm);
  if (!result.finite) return result;
  settings_.train.optimizer->update(model_->flat(), gradient_->gradient(), moments_, segments_, result.rate,
                                    optimize::clip_factor(result.gradient_norm, settings_.train.clip), step_ - steps_before_ + 1);
  ++step_;
  tokens_ += settings_.train.batch * settings_.train.length;
  return result;
}

double Trainer::loss_and_gradient(Index step) {
  const ParallelScope scope = crew_scope();
  return gradient_->compute(batch(step), random_, step, crew_, meter_);
}

ParallelScope Trainer::crew_scope() {
  return ParallelScope([this](Index count, const std::function<void(Index)>& piece) { crew_.run(count, meter_, piece); });
}

std::optional<std::vector<Score>> Trainer::evaluate(const EvaluationProgress& progress) {
  have_them_evaluate(ranks_, model_->flat());
  return scores(progress);
}

std::optional<std::vector<Score>> Trainer::scores(const EvaluationProgress& progress) {
  return evaluate_lengths(*model_, dataset(), settings_.evaluate, random_, crew_, meter_, progress, ranks_);
}

std::optional<AttentionMeans> Trainer::attention(const EvaluationProgress& progress) {
  have_them_measure_attention(ranks_, model_->flat());
  return attention_means(progress);
}

std::optional<AttentionMeans> Trainer::attention_means(const EvaluationProgress& progress) {
  return measure_attention(*model_, dataset(), settings_, random_, crew_, meter_, progress, ranks_);
}

void Trainer::start_from(const Checkpoint& other, bool same_scheme) {
  take_over(other.parameters, *model_, model_->flat(), same_scheme);
  if (steps_before_ > 0) tokens_ = other.tokens;
}

Checkpoint Trainer::save() const {
  Checkpoint checkpoint;
  checkpoint.step = step_;
  checkpoint.tokens = tokens_;
  checkpoint.parameters = named_arrays(*model_, model_->flat());
  checkpoint.first_moment = named_arrays(*model_, moments_.first);
  checkpoint.second_moment = named_arrays(*model_, moments_.second);
  return checkpoint;
}

void Trainer::restore(const Checkpoint& checkpoint) {
  copy_back(checkpoint.parameters, *model_, model_->flat());
  copy_back(checkpoint.first_moment, *model_, moments_.first);
  copy_back(checkpoint.second_moment, *model_, moments_.second);
  step_ = checkpoint.step;
  tokens_ = checkpoint.tokens;
}

}  // namespace ropewalk
