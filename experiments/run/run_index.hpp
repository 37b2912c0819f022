// `index.h5` of an experiment's directory, kept up to date while its runs are under way.
#pragma once

#include <chrono>
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
  /// The runs of these plans, and those that are in the directory already, whatever config they came from.
  RunIndex(std::filesystem::path directory, const std::vector<const config::Plan*>& plans);

  /// Takes a run's new state, and writes the index if that is not too soon after the last time: with thousands of runs, writing
  /// the whole table for each would be most of the work. Safe to call from several threads. Throws `FileError`.
  void update(const std::string& run_id, const RunState& state);
  /// Writes what was not written yet, with what other processes have done of the same experiment in the meantime.
  void write();

 private:
  using Settings = std::map<std::string, std::string>;
  struct Row {
    RunState state;
    Settings settings;  ///< all of them, by dotted path
    config::Experiment experiment;
    bool own = false;  ///< told by `update`; of any other only its file can tell
  };

  void add_found();
  void add_found(const std::filesystem::path& file);
  std::vector<IndexEntry> entries() const;
  std::vector<std::string> differing() const;

  void write_now();

  const std::filesystem::path directory_;
  std::mutex mutex_;
  std::map<std::string, Row> rows_;  ///< by run id
  std::chrono::steady_clock::time_point next_write_{};
  bool changed_ = true;  ///< since it was written; at first, what is there may be of other plans
};

}  // namespace ropewalk
