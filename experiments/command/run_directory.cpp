#include "experiments/command/run_directory.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> directories_beginning_like(const fs::path& typed) {
  std::vector<fs::path> found;
  const fs::path above = typed.has_parent_path() ? typed.parent_path() : fs::path(".");
  std::error_code error;
  for (fs::directory_iterator entry(above, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    const bool begins = entry->path().filename().string().starts_with(typed.filename().string());
    if (begins && entry->is_directory(gone)) found.push_back(above / entry->path().filename());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

fs::path complete_run(const fs::path& typed) {
  std::error_code error;
  if (fs::exists(typed, error) || !typed.has_filename()) return typed;
  const std::vector<fs::path> found = directories_beginning_like(typed);
  if (found.size() == 1) return found.front();
  if (found.empty()) return typed;
  std::string lines;
  for (const fs::path& directory : found) lines += "\n  " + directory.string();
  throw UsageError(fmt::format("{}: expected a run, or the beginning of the name of one, got that of {}:{}", typed.string(),
                               found.size(), lines));
}

}  // namespace ropewalk
