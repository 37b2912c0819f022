// Settings of the tasks a model can be trained on, one kind a task.
#pragma once

#include <string>

#include "framework/core/fields.hpp"
#include "framework/core/registry.hpp"

namespace ropewalk::config {

class TaskSettings {
 public:
  virtual ~TaskSettings() = default;
  virtual void describe(Fields&) {}
};

/// Next-token prediction on a text, the last part of which is held out.
class TextSettings final : public TaskSettings {
 public:
  void describe(Fields& fields) override;

  std::string corpus = "data/kjv.txt";  ///< a file, or a directory of documents
  std::string tokens = "bytes";
  double validation = 0.1;  ///< the last floor(validation·n) of n tokens are held out
};

/// Every task there is.
const Registry<TaskSettings>& tasks();

}  // namespace ropewalk::config
