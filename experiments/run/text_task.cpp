#include "experiments/run/text_task.hpp"

#include "experiments/errors.hpp"
#include "experiments/run/evaluation.hpp"
#include "experiments/run/masked_tokens.hpp"

namespace ropewalk {
namespace {

const config::CorpusSettings& text_of(const config::Settings& settings) {
  return dynamic_cast<const config::CorpusSettings&>(*settings.task);
}

void expect_enough_to_train(const config::Settings& settings, const Corpus& corpus) {
  if (corpus.training > settings.train.length) return;
  throw UsageError(
      fmt::format("train.length: expected fewer than the {} training tokens of {}, got {}; use a longer text, or "
                  "hold out less of it",
                  corpus.training, text_of(settings).corpus, settings.train.length));
}

void expect_learner(const config::Settings& settings) {
  const config::Learner learner = settings.task->learner();
  if (settings.model.kind == learner.kind) return;
  throw UsageError(fmt::format("model.kind: expected {} for the task {}, got {}: {}", learner.kind, settings.task.kind(),
                               settings.model.kind, learner.reason));
}

}  // namespace

std::shared_ptr<const Corpus> corpus_of(const config::Settings& settings) {
  const config::CorpusSettings& text = text_of(settings);
  return shared_corpus(text.corpus, text.validation);
}

const std::string& path_of_corpus(const config::Settings& settings) { return text_of(settings).corpus; }

std::unique_ptr<const Objective> objective_of(const config::Settings& settings) {
  if (const auto* masked = dynamic_cast<const config::MaskedTextSettings*>(&*settings.task)) {
    return std::make_unique<MaskedTokens>(masked->rate);
  }
  return std::make_unique<NextToken>();
}

nn::Vocabulary vocabulary_of(const config::Settings& settings) {
  return {objective_of(settings)->vocabulary(), settings.task->marks()};
}

void expect_unseen(const config::Settings& settings, const Corpus& corpus, const config::Settings& trained,
                   const std::string& fingerprint) {
  const config::CorpusSettings &now = text_of(settings), &then = text_of(trained);
  if (fingerprint.empty()) return;
  const bool same = corpus.fingerprint == fingerprint;
  if (!same && now.corpus == then.corpus) {
    throw FileError(
        fmt::format("{}: the text has changed: expected {}, as it was when the run began, got {}; restore it, or name "
                    "another one: --set task.corpus=…",
                    now.corpus, fingerprint, corpus.fingerprint));
  }
  if (same && now.validation > then.validation) {
    throw UsageError(fmt::format("task.validation: expected at most {}, got {}: the run was trained on the rest of this text",
                                 then.validation, now.validation));
  }
}

void expect_enough_to_evaluate(const config::Settings& settings, const Corpus& corpus) {
  for (const std::string& protocol : settings.evaluate.protocols) {
    for (Index length : settings.evaluate.lengths) {
      if (!protocol_windows(protocol, length, protocol_settings(settings.evaluate, corpus.held_out())).empty()) continue;
      throw UsageError(
          fmt::format("evaluate.lengths: {} tokens held out from {} hold no window of {} tokens ({}); use a longer "
                      "text, raise task.validation, or leave the length out",
                      corpus.held_out(), text_of(settings).corpus, length, protocol));
    }
  }
}

void expect_trainable(const config::Settings& settings, const Corpus& corpus) {
  expect_learner(settings);
  expect_enough_to_train(settings, corpus);
  expect_enough_to_evaluate(settings, corpus);
}

}  // namespace ropewalk
