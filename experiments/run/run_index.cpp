#include "experiments/run/run_index.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "experiments/config/expectation.hpp"
#include "experiments/config/flat_settings.hpp"
#include "experiments/errors.hpp"
#include "experiments/record/run_summary.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds write_interval{1};
constexpr int smallest_share = 20;  // of the time that writing a large table may take: a twentieth

std::vector<fs::path> directories_in(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(directory, missing)) {
    if (entry.is_directory(missing)) found.push_back(entry.path());
  }
  return found;
}

}  // namespace

RunIndex::RunIndex(fs::path directory, const std::vector<const config::Plan*>& plans) : directory_(std::move(directory)) {
  for (const config::Plan* plan : plans) {
    for (const config::RunConfig& run : plan->runs) {
      rows_[run.id] = {{"waiting", 0}, config::flat_settings(run.yaml), plan->experiment};
    }
  }
  for (const fs::path& found : directories_in(directory_)) add_found(found / "run.h5");
}

/// A file that cannot be read is not indexed: `run`, `status` and `report` are the ones to complain of it.
void RunIndex::add_found(const fs::path& file) try {
  if (!fs::exists(file)) return;
  const RunSummary run = read_summary(file);
  const auto planned = rows_.find(run.run_id);
  Row row = planned != rows_.end() ? planned->second : Row{{}, config::flat_settings(run.config), {}};
  row.state = {run.status, run.recorded};
  const bool taken_up = planned != rows_.end() && !is_over(run.status);  // then it will be told what its plan says
  if (!taken_up) row.experiment = {.tags = run.tags, .notes = run.notes};
  rows_[run.run_id] = std::move(row);
} catch (const Error&) {
}

void RunIndex::update(const std::string& run_id, const RunState& state) {
  const std::lock_guard lock(mutex_);
  rows_.at(run_id).state = state;
  changed_ = true;
  if (std::chrono::steady_clock::now() >= next_write_) write_now();
}

void RunIndex::write() {
  const std::lock_guard lock(mutex_);
  if (changed_) write_now();
}

void RunIndex::write_now() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  write_index(directory_, entries());
  changed_ = false;
  next_write_ = Clock::now() + std::max<Clock::duration>(write_interval, smallest_share * (Clock::now() - began));
}

std::vector<IndexEntry> RunIndex::entries() const {
  const std::vector<std::string> columns = differing();
  std::vector<IndexEntry> table;
  for (const auto& [id, row] : rows_) {
    IndexEntry entry{id,
                     row.state.status,
                     row.state.step,
                     std::stoll(row.settings.at("seed")),
                     config::comma_separated(row.experiment.tags),
                     row.experiment.notes,
                     {}};
    for (const std::string& column : columns) {
      const auto value = row.settings.find(column);
      if (value != row.settings.end()) entry.settings[column] = value->second;
    }
    table.push_back(std::move(entry));
  }
  return table;
}

/// Settings that not all rows share; the seed has a column of its own.
std::vector<std::string> RunIndex::differing() const {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> count;
  for (const auto& [id, row] : rows_) {
    for (const auto& [path, value] : row.settings) {
      values[path].insert(value);
      ++count[path];
    }
  }
  std::vector<std::string> columns;
  for (const auto& [path, seen] : values) {
    if (path != "seed" && (seen.size() > 1 || count[path] < rows_.size())) columns.push_back(path);
  }
  return columns;
}

}  // namespace ropewalk
