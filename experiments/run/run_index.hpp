// `index.h5` of an experiment's directory, kept up to date while its runs are under way.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "experiments/config/plan.hpp"
#include "experiments/record/index.hpp"
#include "experiments/run/run.hpp"

namespace ropewalk {

class RunIndex {
 public:
  /// The runs that are planned, and those that are in the directory already, whatever config they came from.
  RunIndex(std::filesystem::path directory, const std::vector<const config::RunConfig*>& planned);

  /// Writes the index anew, with this run's new state. Safe to call from several threads. Throws `FileError`.
  void update(const std::string& run_id, const RunState& state);

 private:
  using Settings = std::map<std::string, std::string>;
  struct Row {
    RunState state;
    Settings settings;  ///< all of them, by dotted path
  };

  void add_found(const std::filesystem::path& file);
  std::vector<IndexEntry> entries() const;
  std::vector<std::string> differing() const;

  const std::filesystem::path directory_;
  std::mutex mutex_;
  std::map<std::string, Row> rows_;  ///< by run id
};

}  // namespace ropewalk
