// `ropewalk evaluate`: a trained run under other settings of evaluation.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ropewalk {

struct EvaluateArguments {
  std::filesystem::path run;
  std::vector<std::string> sets;
  std::filesystem::path out;  ///< empty: the table alone
  int threads = 0;            ///< 0: one for each core
};

/// Prints a table and, if asked, writes the file. Returns the exit code: 0, or 130 if a signal came first; then nothing is
/// written.
int evaluate_run(const EvaluateArguments& arguments);

}  // namespace ropewalk
