#include "experiments/record/find_files.hpp"

#include <algorithm>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// Appends to `found`. Sets `error` if the directory cannot be listed.
void search(const fs::path& directory, const std::set<std::string>& names, std::vector<fs::path>& found, std::error_code& error) {
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (names.contains(entry->path().filename().string())) {
      found.push_back(entry->path());
    } else if (fs::is_directory(entry->symlink_status(gone))) {
      search(entry->path(), names, found, gone);
    }
  }
}

}  // namespace

std::vector<fs::path> find_files(const fs::path& directory, const std::set<std::string>& names) {
  std::vector<fs::path> found;
  std::error_code error;
  search(directory, names, found, error);
  if (error) throw FileError(fmt::format("{}: cannot list: {}", directory.string(), error.message()));
  std::ranges::sort(found);
  return found;
}

}  // namespace ropewalk
