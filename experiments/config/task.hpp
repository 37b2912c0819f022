// Settings of the tasks a model can be trained on, one kind a task.
#pragma once

#include <string>

#include "framework/core/fields.hpp"
#include "framework/core/registry.hpp"
#include "framework/positional/scheme.hpp"

namespace ropewalk::config {

class TaskSettings {
 public:
  virtual ~TaskSettings() = default;
  virtual void describe(Fields&) {}
  /// Tokens that schemes may have to know: digits, and ends of parts.
  virtual positional::Marks marks() const { return {}; }
};

/// Next-token prediction on a text, the last part of which is held out.
class TextSettings final : public TaskSettings {
 public:
  void describe(Fields& fields) override;
  /// Of bytes: the digits, and the ends of sentences and documents.
  positional::Marks marks() const override;

  std::string corpus = "data/kjv.txt";  ///< a file, or a directory of documents
  std::string tokens = "bytes";
  double validation = 0.1;  ///< the last floor(validation·n) of n tokens are held out
};

/// Every task there is.
const Registry<TaskSettings>& tasks();

}  // namespace ropewalk::config
