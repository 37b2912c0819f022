#include "experiments/run/trained_run.hpp"

#include <algorithm>
#include <array>

#include "experiments/config/complaints.hpp"
#include "experiments/config/resolved.hpp"
#include "experiments/errors.hpp"
#include "experiments/record/file.hpp"
#include "experiments/record/run_record.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> needed{"config.yaml", "run.h5", "checkpoint.h5"};

void expect_files(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw FileError(fmt::format("{}: expected the directory of a run, found {}; name one such as results/<name>/<run>",
                                directory.string(), fs::exists(directory, error) ? "a file" : "nothing"));
  }
  for (const char* name : needed) {
    if (fs::exists(directory / name, error)) continue;
    const bool begun = std::string(name) == "checkpoint.h5";  // the other two are there
    throw FileError(fmt::format("{}: expected one of the files of a run, found nothing; {}", (directory / name).string(),
                                begun ? "the run has saved no checkpoint yet: wait for one, or go on with `ropewalk run`"
                                      : "name the directory of one run, such as results/<name>/<run>"));
  }
}

/// The config as the program reads it. It was read once before: a mistake is no usage error.
config::RunConfig read_config(const std::string& yaml, const fs::path& file) {
  try {
    config::RunConfig run = config::parse_plan(yaml, file.string()).runs.back();
    run.yaml = config::text_of(run.settings);
    return run;
  } catch (const config::ConfigErrors& errors) {
    throw FileError(fmt::format("{}\n{}: not a config that this version of ropewalk writes; use the version that trained the run",
                                errors.what(), file.string()));
  }
}

void expect_same_config(const std::string& found, const std::string& trained, const fs::path& file) {
  if (found == trained) return;
  throw FileError(
      fmt::format("{}: expected the config that checkpoint.h5 beside it was trained with, got another one; restore the "
                  "file (settings are changed with --set)",
                  file.string()));
}

}  // namespace

TrainedRun read_trained_run(const fs::path& directory) {
  expect_files(directory);
  const fs::path file = directory / "config.yaml";
  Checkpoint checkpoint = read_checkpoint(directory / "checkpoint.h5");
  const RunRecord record = read_run(directory / "run.h5");
  expect_same_config(record.config, checkpoint.config, directory / "run.h5");
  expect_same_config(read_file(file), checkpoint.config, file);
  return {directory,       read_config(checkpoint.config, file), record.status, record.data,
          checkpoint.step, std::move(checkpoint.parameters)};
}

bool belongs_to_a_run(const fs::path& file) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(file, error), directory = place.parent_path(), name = place.filename();
  if (name == "index.h5") return fs::exists(place, error);
  const bool of_a_run = name == "log.txt" || std::find(needed.begin(), needed.end(), name) != needed.end();
  return of_a_run && (fs::exists(directory / "run.h5", error) || fs::exists(directory / "checkpoint.h5", error));
}

}  // namespace ropewalk
