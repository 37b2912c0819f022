#include "experiments/record/find_files.hpp"

#include <algorithm>

#include "experiments/errors.hpp"
#include "experiments/text/nearest.hpp"

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

/// Names of the directories in one, as far as it can be listed.
std::vector<std::string> names_of_directories(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (entry->is_directory(gone)) names.push_back(entry->path().filename().string());
  }
  return names;
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

void expect_directory(const fs::path& directory) {
  std::error_code error;
  if (fs::exists(directory, error)) return;
  const fs::path whole = (directory.has_filename() ? directory : directory.parent_path()).lexically_normal();
  const fs::path above = whole.has_parent_path() ? whole.parent_path() : ".";
  const std::string near = nearest(whole.filename().string(), names_of_directories(above));
  const std::string meant = near.empty() ? "" : fmt::format("; did you mean {}?", (whole.parent_path() / near).string());
  throw FileError(fmt::format("{}: expected a directory of results, there is none{}", directory.string(), meant));
}

}  // namespace ropewalk
