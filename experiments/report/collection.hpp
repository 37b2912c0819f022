// All runs under a directory.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/record/run_record.hpp"

namespace ropewalk {

/// Settings of a run by dotted path, values as text: {"model.position.kind", "rope"}.
using Settings = std::map<std::string, std::string>;

/// Reads them out of a resolved config (YAML). Throws `Error` if it cannot.
using SettingsOf = std::function<Settings(const std::string& config)>;

struct ReportedRun {
  std::filesystem::path path;  ///< of its run.h5
  Settings settings;
  RunRecord record;
  std::string state;  ///< its status, or what is known better: stopped, if it is under way and nobody is at it

  bool done() const { return record.status == "done"; }
  /// Optimizer steps known to be done.
  std::int64_t step() const;
  /// What it was trained on in a stage, from 1, or in the last one: train.length, or that of the latest stage until then that
  /// changes it, in tokens. None if the run has no such setting.
  std::optional<std::int64_t> trained_length(std::optional<std::int64_t> stage = {}) const;
};

struct DamagedFile {
  std::filesystem::path path;
  std::string message;
};

struct Collection {
  std::vector<ReportedRun> runs;     ///< sorted by path
  std::vector<DamagedFile> damaged;  ///< every file that could not be used
  std::vector<std::string> copies;   ///< one message for every run left out because an equal one is there: it would count twice
};

/// The run of one run.h5. Throws `FileError` for a damaged file.
ReportedRun read_reported(const std::filesystem::path& file, const SettingsOf& settings_of);

/// Reads every run.h5 in `directory` and below. Throws `FileError` if there is none, with the nearest name if there is no such
/// directory.
Collection collect_runs(const std::filesystem::path& directory, const SettingsOf& settings_of);

}  // namespace ropewalk
