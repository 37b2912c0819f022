#include "experiments/report/collection.hpp"

#include <charconv>

#include "experiments/errors.hpp"
#include "experiments/record/find_files.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

Settings read_settings(const fs::path& path, const std::string& config, const SettingsOf& settings_of) {
  try {
    return settings_of(config);
  } catch (const Error& error) {
    throw FileError(fmt::format("{}: attribute config: {}", path.string(), error.what()));
  }
}

/// Takes the runs one after another, each unless one of the same settings came before it.
class Collector {
 public:
  void add(ReportedRun run) {
    const auto [first, is_new] = first_of_.emplace(run.settings, run.path);
    if (is_new) {
      found.runs.push_back(std::move(run));
    } else {
      found.copies.push_back(fmt::format("{}: same settings as {}", run.path.string(), first->second.string()));
    }
  }

  Collection found;

 private:
  std::map<Settings, fs::path> first_of_;
};

/// 2 for train.stages[0].length; none for another path.
std::optional<std::int64_t> stage_whose_length(const std::string& path) {
  constexpr std::string_view kBegin = "train.stages[", kEnd = "].length";
  if (!path.starts_with(kBegin) || !path.ends_with(kEnd)) return std::nullopt;
  std::int64_t index = 0;
  std::from_chars(path.data() + kBegin.size(), path.data() + path.size(), index);
  return index + 2;
}

}  // namespace

std::int64_t ReportedRun::step() const {
  const auto last = [](const std::vector<std::int64_t>& steps) { return steps.empty() ? 0 : steps.back(); };
  return std::max(last(record.train.step), last(record.evaluate.step));
}

std::optional<std::int64_t> ReportedRun::trained_length(std::optional<std::int64_t> stage) const {
  auto found = settings.find("train.length");
  for (const auto& [path, value] : settings) {  // in order, so that the last stage that changes it is left
    const std::optional<std::int64_t> changed = stage_whose_length(path);
    if (changed && (!stage || *changed <= *stage)) found = settings.find(path);
  }
  std::int64_t length = 0;
  if (found == settings.end()) return std::nullopt;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return length;
}

ReportedRun read_reported(const fs::path& path, const SettingsOf& settings_of) {
  RunRecord record = read_run(path);
  Settings settings = read_settings(path, record.config, settings_of);
  std::string state = record.status;
  return {path, std::move(settings), std::move(record), std::move(state)};
}

Collection collect_runs(const fs::path& directory, const SettingsOf& settings_of) {
  expect_directory(directory);
  const std::vector<fs::path> files = find_files(directory, {"run.h5"});
  if (files.empty()) {
    throw FileError(fmt::format("{}: expected at least one run.h5 in it or below, found none; 'ropewalk run CONFIG' makes them",
                                directory.string()));
  }
  Collector collector;
  for (const fs::path& path : files) {
    try {
      collector.add(read_reported(path, settings_of));
    } catch (const FileError& error) {
      collector.found.damaged.push_back({path, error.what()});
    }
  }
  return std::move(collector.found);
}

}  // namespace ropewalk
