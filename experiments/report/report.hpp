// `ropewalk report`: what the runs of a directory say about length, as tables for a terminal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/record/run_filter.hpp"
#include "experiments/report/collection.hpp"

namespace ropewalk {

struct ReportOptions {
  std::string metric = "perplexity";  ///< one of `metrics()`
  std::string protocol = "nonoverlapping";
  std::optional<std::int64_t> step = {};  ///< of the evaluation that is shown; none: the last one of each run that is done
  RunFilter filter = {};
  std::vector<std::string> where = {};     ///< conditions on settings: see `parse_condition`
  std::vector<std::string> group_by = {};  ///< paths of settings; none: all but the seed
  std::string sort = "run";                ///< see `sort_groups`
  std::string baseline = {};               ///< label of the group to compare the others with; empty: none
  std::filesystem::path csv = {};          ///< where to write every number; empty for nowhere
};

/// Where the config of a run and what became of it are to be learnt.
struct RunReaders {
  SettingsOf settings_of;
  /// The state of a run in an experiment's directory: what its file says, unless more is known, as of one whose process died.
  std::function<std::string(const std::filesystem::path& experiment, const std::string& run_id, const std::string& status)>
      state_of = [](const auto&, const auto&, const std::string& status) { return status; };
};

struct Report {
  std::string text;
  std::vector<std::string> damaged;  ///< files that could not be read, also listed in the text; if there are any, exit with 3
};

/// A section for each experiment, that is for the runs of one `name`: how many are done, the tables of `format_length_tables`,
/// `format_extrapolation_table` and, with a baseline, `format_difference_table`, what is known of the rotary ones, and the runs
/// that are not done, which do not enter the tables. Throws `UsageError` for what these runs cannot answer, `FileError` if there
/// is no run at all or the CSV cannot be written.
Report report(const std::filesystem::path& directory, const ReportOptions& options, const RunReaders& readers);

}  // namespace ropewalk
