#include "experiments/record/index.hpp"

#include <set>

#include "experiments/record/format.hpp"
#include "experiments/record/hdf5.hpp"

namespace ropewalk {
namespace {

const Format kFormat{"ropewalk-index", 1};
constexpr const char* kScale = "/runs/id";

template <class Value>
auto column(const std::vector<IndexEntry>& entries, Value value) {
  std::vector<decltype(value(entries.front()))> values;
  for (const IndexEntry& entry : entries) values.push_back(value(entry));
  return values;
}

template <class T>
void write_column(hdf5::Writer& file, const std::string& name, const std::vector<T>& values, const hdf5::Labels& labels) {
  const std::string path = "/runs/" + name;
  file.dataset(path, {static_cast<std::int64_t>(values.size())}, values, labels);
  if (path == kScale) {
    file.make_scale(path);
  } else {
    file.attach_scale(path, 0, kScale);
  }
}

/// Every setting that some run has, except those that a column of their own holds.
std::set<std::string> setting_names(const std::vector<IndexEntry>& entries) {
  std::set<std::string> names;
  for (const IndexEntry& entry : entries) {
    for (const auto& [name, value] : entry.settings) names.insert(name);
  }
  names.erase("seed");
  return names;
}

std::string setting(const IndexEntry& entry, const std::string& name) {
  const auto found = entry.settings.find(name);
  return found == entry.settings.end() ? "" : found->second;
}

}  // namespace

void write_index(const std::filesystem::path& directory, const std::vector<IndexEntry>& entries) {
  hdf5::Writer file(directory / "index.h5");
  write_format(file, kFormat);
  write_column(file, "id", column(entries, [](const IndexEntry& entry) { return entry.run_id; }), {"1", "run"});
  write_column(file, "status", column(entries, [](const IndexEntry& entry) { return entry.status; }), {"1", "status"});
  write_column(file, "step", column(entries, [](const IndexEntry& entry) { return entry.step; }),
               {"steps", "optimizer steps done"});
  write_column(file, "seed", column(entries, [](const IndexEntry& entry) { return entry.seed; }), {"1", "random seed"});
  write_column(file, "tags", column(entries, [](const IndexEntry& entry) { return entry.tags; }),
               {"1", "tags of the experiment, joined by commas"});
  write_column(file, "notes", column(entries, [](const IndexEntry& entry) { return entry.notes; }), {"1", "of the experiment"});
  for (const std::string& name : setting_names(entries)) {
    write_column(file, name, column(entries, [&](const IndexEntry& entry) { return setting(entry, name); }),
                 {"1", "setting " + name});
  }
  file.group("/files");
  for (const IndexEntry& entry : entries) file.external_link("/files/" + entry.run_id, entry.run_id + "/run.h5");
  file.save();
}

std::vector<IndexEntry> read_index(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "index.h5";
  const hdf5::Reader file(path);
  expect_format(file, kFormat, path.string());
  std::vector<IndexEntry> entries;
  const auto fill = [&]<class T>(T IndexEntry::*member, const std::string& name) {
    if (!file.has("/runs/" + name)) return;  // of an older version
    std::vector<T> values = file.read<T>("/runs/" + name);
    entries.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) entries[i].*member = std::move(values[i]);
  };
  fill(&IndexEntry::run_id, "id");
  fill(&IndexEntry::status, "status");
  fill(&IndexEntry::step, "step");
  fill(&IndexEntry::seed, "seed");
  fill(&IndexEntry::tags, "tags");
  fill(&IndexEntry::notes, "notes");
  return entries;
}

}  // namespace ropewalk
