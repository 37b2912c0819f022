// How far the runs of a directory have got, also while other processes, perhaps of other machines, are at them. Writes nothing.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/record/run_filter.hpp"
#include "experiments/record/run_summary.hpp"

namespace ropewalk {

/// In the order in which they are shown. running: somebody has its lock; stopped: begun, not over, and nobody has; waiting: in
/// the index and not begun; damaged: its file cannot be read.
inline constexpr std::array<const char*, 7> kRunStates{"done", "running", "stopped", "diverged", "failed", "waiting", "damaged"};

/// The state of a run whose file says `status`: that, unless it has begun and is not over; then whether somebody has its lock.
std::string run_state(const std::filesystem::path& experiment, const std::string& run_id, const std::string& status);

struct RunStatus {
  std::string state;  ///< one of `kRunStates`
  RunSummary run;     ///< what its file says; of a waiting or damaged one no more than its id, tags, notes and message
  std::optional<double> saved_ago;  ///< seconds since its file was written

  std::optional<double> seconds_left() const;  ///< of training, at its speed of late; none unless it is running
};

struct ExperimentStatus {
  std::filesystem::path directory;
  std::vector<RunStatus> runs;             ///< by id
  std::optional<std::string> index_error;  ///< why index.h5 cannot be read, if it is there

  std::size_t count(const std::string& state) const;
  bool is_damaged() const { return index_error || count("damaged") > 0; }
};

/// The experiments in `directory`, which may be one itself, or the directory of one run, with the runs that the filter accepts.
/// Throws `FileError` if there is none, `UsageError` if the filter fits none.
std::vector<ExperimentStatus> read_status(const std::filesystem::path& directory, const RunFilter& filter);

}  // namespace ropewalk
