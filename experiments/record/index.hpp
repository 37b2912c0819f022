// `index.h5` of a results directory: a table of its runs with links to their files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ropewalk {

struct IndexEntry {
  std::string run_id;
  std::string status;
  std::int64_t step = 0;  ///< optimizer steps done
  std::int64_t seed = 0;
  std::string tags;  ///< joined by commas
  std::string notes;
  std::map<std::string, std::string> settings;  ///< those in which the runs differ, by dotted path: model.position.kind
};

/// Writes `directory`/index.h5: under /runs a column for each of id, status, step, seed, tags, notes and every setting (empty
/// text where a run has none), with id as their scale; under /files a link from each run's id to `<run-id>/run.h5`, relative, so
/// that the directory can be moved. Throws `FileError`.
void write_index(const std::filesystem::path& directory, const std::vector<IndexEntry>& entries);

/// The rows of `directory`/index.h5, their settings left out. Throws `FileError` if it is missing or damaged.
std::vector<IndexEntry> read_index(const std::filesystem::path& directory);

}  // namespace ropewalk
