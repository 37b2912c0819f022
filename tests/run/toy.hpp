// Small texts, plans and models for the tests of runs.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "experiments/config/plan.hpp"
#include "experiments/run/corpus.hpp"
#include "experiments/run/crew.hpp"
#include "experiments/run/trainer.hpp"
#include "tests/record/sample.hpp"

namespace ropewalk::toy {

class InDirectory : public ropewalk::InDirectory {
 protected:
  /// A file below the test's directory; the directories on its way are made.
  std::filesystem::path write(const std::string& name, const std::string& contents) const {
    const std::filesystem::path file = directory_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << contents;
    return file;
  }
};

/// Words of a small vocabulary in a random but fixed order: something to learn, and no two windows alike.
inline std::string text(std::size_t size) {
  static const std::vector<std::string> words{"strand", "rope", "walk", "twist", "hemp", "tar", "lay", "and", "the", "of"};
  Stream stream = Random(5).stream("text");
  std::string text;
  while (text.size() < size) text += words[stream.below(words.size())] + (stream.below(9) == 0 ? ".\n" : " ");
  text.resize(size);
  return text;
}

inline std::shared_ptr<const Corpus> corpus(std::size_t size = 6000, double validation = 0.2) {
  Corpus corpus;
  const std::string written = text(size);
  corpus.tokens.assign(written.begin(), written.end());
  corpus.training = static_cast<Index>(size) - static_cast<Index>(validation * static_cast<double>(size));
  return std::make_shared<const Corpus>(std::move(corpus));
}

/// The smallest run in which every part takes part; `more` is appended, so a section it names must not be one of these.
inline std::string config_text(const std::string& corpus, const std::string& model = "{layers: 2, heads: 2, width: 8}",
                               const std::string& train = "steps: 12", const std::string& more = "") {
  return "name: toy\ntask: {corpus: '" + corpus + "', validation: 0.2}\nmodel: " + model +
         "\ntrain: {length: 16, batch: 6, shards: 3, schedule: {kind: cosine, warmup: 2}, " + train +
         "}\nevaluate: {lengths: [16, 40], tokens: 400}\nrecord: {every: 5}\n" + more;
}

inline config::Settings settings(const std::string& model = "{layers: 2, heads: 2, width: 8}",
                                 const std::string& train = "steps: 12", const std::vector<std::string>& sets = {}) {
  return config::parse_plan(config_text("unused", model, train), "toy", sets).runs.front().settings;
}

/// What makes a masked language model of it.
inline std::vector<std::string> masked(const std::string& corpus = "unused") {
  return {"task={kind: masked_text, corpus: '" + corpus + "', validation: 0.2, rate: 0.2}", "model.kind=encoder"};
}

/// All parameters of a model, copied.
inline std::vector<double> parameters(const nn::Transformer& model) { return model.flat().values(); }

}  // namespace ropewalk::toy
