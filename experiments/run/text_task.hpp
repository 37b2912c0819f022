// Tasks on a text: what their settings say about a corpus.
#pragma once

#include <memory>

#include "experiments/config/settings.hpp"
#include "experiments/run/dataset.hpp"
#include "framework/nn/transformer.hpp"

namespace ropewalk {

/// The corpus of a run, read once for all runs that share it. Throws `FileError` if it is not there.
std::shared_ptr<const Corpus> corpus_of(const config::Settings& settings);

/// Where its text is, as the settings name it.
const std::string& path_of_corpus(const config::Settings& settings);

/// What is to be predicted of it.
std::unique_ptr<const Objective> objective_of(const config::Settings& settings);

/// Its tokens, with those that it marks.
nn::Vocabulary vocabulary_of(const config::Settings& settings);

/// Throws `UsageError` if the task cannot teach this model, or the text is too short to train on or to evaluate at every length
/// asked for.
void expect_trainable(const config::Settings& settings, const Corpus& corpus);

/// Whether a model knows nothing yet of what would be held out from a text for it; `fingerprint`: of the text it was trained on,
/// empty if unknown. Throws `FileError` if that text has changed under its name, `UsageError` if part of what it was trained on
/// would be held out.
void expect_unseen(const config::Settings& settings, const Corpus& corpus, const config::Settings& trained,
                   const std::string& fingerprint);

/// Throws `UsageError` if too little of the text is held out for a window of every length asked for.
void expect_enough_to_evaluate(const config::Settings& settings, const Corpus& corpus);

}  // namespace ropewalk
