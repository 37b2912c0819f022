// `ropewalk report`: what the runs of a directory say about length, as tables for a terminal.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/record/run_filter.hpp"
#include "experiments/report/collection.hpp"

namespace ropewalk {

struct ReportOptions {
  std::string metric = "perplexity";  ///< one of `metrics()`
  std::string protocol = "nonoverlapping";
  RunFilter filter = {};
  std::filesystem::path csv;  ///< where to write every number; empty for nowhere
};

struct Report {
  std::string text;
  std::vector<std::string> damaged;  ///< files that could not be read, also listed in the text; if there are any, exit with 3
};

/// A section for each experiment, that is for the runs of one `name`: how many are done, the tables of `format_length_tables`,
/// what is known of the rotary ones, and the runs that are not done, which do not enter the tables. Throws `UsageError` for a
/// metric or protocol that is not there, `FileError` if there is no run at all or the CSV cannot be written.
Report report(const std::filesystem::path& directory, const ReportOptions& options, const SettingsOf& settings_of);

}  // namespace ropewalk
