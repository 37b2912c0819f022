#include "experiments/run/status.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "experiments/errors.hpp"
#include "experiments/record/find_files.hpp"
#include "experiments/record/index.hpp"
#include "experiments/run/run.hpp"
#include "experiments/run/run_lock.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// What there is of an experiment.
struct Found {
  std::set<std::string> runs;  ///< names of directories with a run.h5
  bool index = false;
  bool whole = true;  ///< not one run of it alone
};

std::map<fs::path, Found> find_experiments(const fs::path& given) {
  std::error_code missing;
  const fs::path directory = fs::weakly_canonical(given, missing);
  expect_directory(given);
  std::map<fs::path, Found> found;
  for (const fs::path& file : find_files(directory, {"run.h5", "index.h5"})) {
    const fs::path place = file.parent_path();
    if (file.filename() == "index.h5") {
      found[place].index = true;
      continue;
    }
    Found& experiment = found[place.parent_path()];
    experiment.runs.insert(place.filename().string());
    experiment.whole = place != directory;
  }
  if (!found.empty()) return found;
  throw FileError(fmt::format("{}: expected an index.h5 or run.h5 in it or below, found none; 'ropewalk run CONFIG' makes them",
                              given.string()));
}

std::optional<double> age_of(const fs::path& file) {
  std::error_code missing;
  const auto written = fs::last_write_time(file, missing);
  if (missing) return {};
  return std::max(0.0, std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count());
}

/// Whether a process is at a run. One that is over is held for the moment at most in which a sweep sees that it is.
bool is_running(const fs::path& experiment, const std::string& run_id, const std::string& status) {
  return !is_over(status) && RunLock::is_held(experiment, run_id).value_or(status == "running");
}

RunStatus status_of(const fs::path& experiment, const std::string& name) {
  const fs::path file = experiment / name / "run.h5";
  RunStatus found;
  found.saved_ago = age_of(file);
  try {
    found.run = read_summary(file);
  } catch (const FileError& error) {
    found.run.run_id = name;
    found.run.message = error.what();
    found.state = "damaged";
    return found;
  }
  found.state = run_state(experiment, found.run.run_id, found.run.status);
  return found;
}

std::vector<std::string> split_tags(const std::string& text) {
  std::vector<std::string> tags;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    tags.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return tags;
}

/// A run that has no file yet.
RunStatus planned(const fs::path& experiment, const IndexEntry& row) {
  RunStatus found;
  found.run.run_id = row.run_id;
  found.run.tags = split_tags(row.tags);
  found.run.notes = row.notes;
  found.state = is_running(experiment, row.run_id, "") ? "running" : "waiting";
  return found;
}

ExperimentStatus examine(const fs::path& directory, const Found& found) {
  ExperimentStatus experiment;
  experiment.directory = directory;
  for (const std::string& name : found.runs) experiment.runs.push_back(status_of(directory, name));
  if (!found.index || !found.whole) return experiment;
  try {
    for (const IndexEntry& row : read_index(directory)) {
      if (!found.runs.contains(row.run_id)) experiment.runs.push_back(planned(directory, row));
    }
  } catch (const FileError& error) {
    experiment.index_error = error.what();
  }
  std::ranges::sort(experiment.runs, {}, [](const RunStatus& run) { return run.run.run_id; });
  return experiment;
}

}  // namespace

std::string run_state(const fs::path& experiment, const std::string& run_id, const std::string& status) {
  if (is_running(experiment, run_id, status)) return "running";
  return status == "running" || status == "interrupted" ? "stopped" : status;
}

std::optional<double> RunStatus::seconds_left() const {
  if (state != "running" || !run.steps || !run.seconds_per_step) return {};
  return *run.seconds_per_step * static_cast<double>(*run.steps - run.step);
}

std::size_t ExperimentStatus::count(const std::string& state) const {
  return static_cast<std::size_t>(std::ranges::count(runs, state, &RunStatus::state));
}

std::vector<ExperimentStatus> read_status(const fs::path& directory, const RunFilter& filter) {
  std::vector<ExperimentStatus> experiments;
  std::vector<std::string> ids;
  std::vector<std::vector<std::string>> tags;
  for (const auto& [experiment, found] : find_experiments(directory)) {
    experiments.push_back(examine(experiment, found));
    for (const RunStatus& run : experiments.back().runs) {
      ids.push_back(run.run.run_id);
      tags.push_back(run.run.tags);
    }
  }
  expect_matches(filter, ids);
  expect_tags(filter, tags);
  for (ExperimentStatus& experiment : experiments) {
    std::erase_if(experiment.runs, [&](const RunStatus& run) { return !filter.accepts(run.run.run_id, run.run.tags); });
  }
  std::erase_if(experiments,
                [](const ExperimentStatus& experiment) { return experiment.runs.empty() && !experiment.index_error; });
  return experiments;
}

}  // namespace ropewalk
