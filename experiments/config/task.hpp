// Settings of the tasks a model can be trained on, one kind a task.
#pragma once

#include <string>

#include "framework/core/fields.hpp"
#include "framework/core/registry.hpp"
#include "framework/positional/scheme.hpp"

namespace ropewalk::config {

/// What a task asks of a model.
struct Learner {
  std::string kind;    ///< `model.kind`
  std::string reason;  ///< why no other kind can learn it
};

class TaskSettings {
 public:
  virtual ~TaskSettings() = default;
  virtual void describe(Fields&) {}
  virtual Learner learner() const = 0;
  /// The one evaluation protocol that means anything for it; empty: all do.
  virtual std::string only_protocol() const { return ""; }
  /// Tokens that schemes may have to know: digits, and ends of parts.
  virtual positional::Marks marks() const { return {}; }
};

/// A text, the last part of which is held out.
class CorpusSettings : public TaskSettings {
 public:
  void describe(Fields& fields) override;
  /// Of bytes: the digits, and the ends of sentences and documents.
  positional::Marks marks() const override;

  std::string corpus = "data/kjv.txt";  ///< a file, or a directory of documents
  std::string tokens = "bytes";
  double validation = 0.1;  ///< the last floor(validation·n) of n tokens are held out
};

/// Next-token prediction.
class TextSettings final : public CorpusSettings {
 public:
  Learner learner() const override;
};

/// Masked tokens are to be predicted from those on both sides: see `MaskedTokens`.
class MaskedTextSettings final : public CorpusSettings {
 public:
  void describe(Fields& fields) override;
  Learner learner() const override;
  std::string only_protocol() const override { return "nonoverlapping"; }

  double rate = 0.15;  ///< fraction of the tokens that are masked, as in Devlin et al. 2019
};

/// Every task there is.
const Registry<TaskSettings>& tasks();

}  // namespace ropewalk::config
