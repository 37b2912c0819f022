// `ropewalk report`: what the runs of a directory say about length, as tables for a terminal.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/report/collection.hpp"

namespace ropewalk {

struct ReportOptions {
  std::string metric = "perplexity";  ///< one of `metrics()`
  std::string protocol = "nonoverlapping";
  std::filesystem::path csv;  ///< where to write every number; empty for nowhere
};

struct Report {
  std::string text;
  std::vector<std::string> damaged;  ///< files that could not be read, also listed in the text; if there are any, exit with 3
};

/// Two tables with a row for each group of runs that differ only in their seed and a column for each evaluated length: the
/// metric, mean over seeds with its 95 % interval, and its ratio to the same run's value at the trained length. Only runs that
/// are done enter them; all others are listed below. Throws `UsageError` for a metric or protocol that is not there, `FileError`
/// if there is no run at all or the CSV cannot be written.
Report report(const std::filesystem::path& directory, const ReportOptions& options, const SettingsOf& settings_of);

}  // namespace ropewalk
