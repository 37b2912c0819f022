// Where a run stands, out of its `run.h5`, without what it has measured on the way.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ropewalk {

struct RunSummary {
  std::string run_id;
  std::string status;   ///< as in `RunRecord`
  std::string message;  ///< why it failed; empty if it did not
  std::string config;   ///< resolved, YAML
  std::vector<std::string> tags;
  std::string notes;
  std::string host;                     ///< of the process that took the run up last; empty in a file from before it was kept
  std::optional<std::int64_t> process;  ///< its id; none in such a file
  std::optional<std::int64_t> steps;    ///< how many it trains for; none in a file from before that was kept
  std::int64_t step = 0;                ///< of the last recorded step or evaluation
  std::int64_t recorded = 0;            ///< of the last recorded step
  std::int64_t tokens = 0;              ///< trained on up to the last recorded step
  double seconds = 0;                   ///< training time up to there
  std::optional<double> loss;           ///< of the last recorded step, nats per scored token
};

/// Throws `FileError` like `read_run`: the file is read and its seal examined whole, but hardly any of it is looked at.
RunSummary read_summary(const std::filesystem::path& path);

}  // namespace ropewalk
