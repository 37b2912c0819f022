#include "experiments/launch/launch.hpp"

#include <algorithm>

#include "experiments/errors.hpp"
#include "experiments/launch/array_script.hpp"
#include "experiments/launch/division.hpp"
#include "experiments/launch/slurm.hpp"
#include "experiments/record/file.hpp"
#include "experiments/run/environment.hpp"
#include "experiments/run/run.hpp"
#include "experiments/run/run_index.hpp"
#include "experiments/run/start.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// One whose files cannot be read is left to do: its element says what is wrong with them.
bool is_left_there(const config::RunConfig& run, const fs::path& directory, bool retry_failed) try {
  return is_left(state_of(run, directory), retry_failed);
} catch (const FileError&) {
  return true;
}

/// For each run of the plan, whether there is something to do.
std::vector<bool> left_to_do(const config::Plan& plan, const LaunchOptions& options, const fs::path& out) {
  std::vector<bool> left;
  for (const config::RunConfig& run : plan.runs) {
    left.push_back(options.filter.accepts(run.id) && is_left_there(run, out / plan.name / run.id, options.retry_failed));
  }
  return left;
}

/// Of this plan alone: a pattern that was meant for another config would be refused as a slip by the elements of this one.
std::vector<std::string> options_of_elements(const config::Plan& plan, const LaunchOptions& options) {
  std::vector<std::string> all = options.run_options;
  for (const std::string& pattern : options.filter.only) {
    const auto matches = [&](const config::RunConfig& run) { return RunFilter{{pattern}, {}}.accepts(run.id); };
    if (std::ranges::any_of(plan.runs, matches)) all.push_back("--only=" + pattern);
  }
  return all;
}

std::size_t most_shares(const config::LaunchSettings& settings) {
  const std::size_t largest = slurm::largest_array_index();
  return settings.elements > 0 ? std::min(largest, static_cast<std::size_t>(settings.elements)) : largest;
}

/// `20260131T120000Z`, and `20260131T120000Z-2` for a second launch in the same second.
std::string stamp(int attempt) {
  std::string text = utc_now();
  std::erase_if(text, [](char letter) { return letter == '-' || letter == ':'; });
  return attempt == 1 ? text : fmt::format("{}-{}", text, attempt);
}

/// A directory of a launch that is removed again unless the launch succeeds.
class LaunchDirectory {
 public:
  explicit LaunchDirectory(const fs::path& parent) {
    std::error_code error;
    fs::create_directories(parent, error);
    for (int attempt = 1; !error && path_.empty(); ++attempt) {
      const fs::path wanted = parent / stamp(attempt);
      if (fs::create_directory(wanted, error)) path_ = wanted;
    }
    if (error) {
      throw FileError(fmt::format("{}: a directory cannot be made there: {}; choose another place with --out", parent.string(),
                                  error.message()));
    }
  }
  LaunchDirectory(const LaunchDirectory&) = delete;
  LaunchDirectory& operator=(const LaunchDirectory&) = delete;
  ~LaunchDirectory() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  fs::path path_;
  bool kept_ = false;
};

}  // namespace

std::optional<Launch> launch(const config::Plan& plan, const config::LaunchSettings& settings, const LaunchOptions& options) {
  for (const config::RunConfig& run : plan.runs) expect_ready(run, plan);
  const fs::path out = fs::absolute(options.out);
  const std::vector<bool> left = left_to_do(plan, options, out);
  const auto runs = static_cast<std::size_t>(std::ranges::count(left, true));
  if (runs == 0) return std::nullopt;

  const Division division = divide(left, most_shares(settings));
  LaunchDirectory directory(out / plan.name / "launch");
  replace_file(directory.path() / "config.yaml", plan.yaml);
  replace_file(directory.path() / "array.sh",
               array_script({plan.name, settings, division, fs::read_symlink("/proc/self/exe"), fs::current_path(),
                             directory.path(), out, options_of_elements(plan, options)}));
  RunIndex(out / plan.name, {&plan}).write();  // so that status knows what is queued; first, so that no job is without it
  const std::string job = slurm::submit(directory.path() / "array.sh");
  directory.keep();
  return Launch{job, division.shares.size(), runs, directory.path()};
}

}  // namespace ropewalk
