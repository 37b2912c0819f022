#include "experiments/launch/launch.hpp"

#include <algorithm>

#include "experiments/errors.hpp"
#include "experiments/launch/array_script.hpp"
#include "experiments/launch/division.hpp"
#include "experiments/launch/slurm.hpp"
#include "experiments/record/file.hpp"
#include "experiments/run/environment.hpp"
#include "experiments/run/run.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// For each run of the plan. One whose files cannot be read is not: its element says what is wrong with them.
std::vector<bool> which_are_over(const config::Plan& plan, const fs::path& out) {
  std::vector<bool> over;
  for (const config::RunConfig& run : plan.runs) {
    try {
      over.push_back(is_over(state_of(run, out / plan.name / run.id).status));
    } catch (const FileError&) {
      over.push_back(false);
    }
  }
  return over;
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
  for (const config::RunConfig& run : plan.runs) expect_trainable(run.settings, *corpus_of(run.settings));
  const fs::path out = fs::absolute(options.out);
  const std::vector<bool> over = which_are_over(plan, out);
  const auto left = static_cast<std::size_t>(std::ranges::count(over, false));
  if (left == 0) return std::nullopt;

  const Division division = divide(over, most_shares(settings));
  LaunchDirectory directory(out / plan.name / "launch");
  replace_file(directory.path() / "config.yaml", plan.yaml);
  replace_file(directory.path() / "array.sh", array_script({plan.name, settings, division, fs::read_symlink("/proc/self/exe"),
                                                            fs::current_path(), directory.path(), out, options.run_options}));
  const std::string job = slurm::submit(directory.path() / "array.sh");
  directory.keep();
  return Launch{job, division.shares.size(), left, directory.path()};
}

}  // namespace ropewalk
