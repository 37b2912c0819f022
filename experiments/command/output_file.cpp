#include "experiments/command/output_file.hpp"

#include <fmt/core.h>

#include "experiments/errors.hpp"
#include "experiments/record/hdf5.hpp"
#include "experiments/run/trained_run.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// Whether a file says that it is of this format.
bool is_of(const fs::path& file, const std::string& format) {
  try {
    const hdf5::Reader reader(file);
    return reader.has_attribute("/", "format") && reader.attribute<std::string>("/", "format") == format;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace

void expect_own_file(const fs::path& file, const std::string& option) {
  std::error_code error;
  if (file.empty()) throw UsageError(fmt::format("{}: expected a file, got nothing", option));
  if (belongs_to_a_run(file)) {
    throw UsageError(fmt::format("{}: expected a file of its own, got {}, which belongs to a run", option, file.string()));
  }
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(directory, error)) {
    throw FileError(fmt::format("{}: cannot write: {} is no directory; make it first", file.string(), directory.string()));
  }
  if (fs::is_directory(file, error)) {
    throw FileError(fmt::format("{}: cannot write: expected a file, got a directory", file.string()));
  }
}

void expect_replaceable(const fs::path& file, const std::string& option, const std::string& format) {
  expect_own_file(file, option);
  std::error_code error;
  if (fs::is_regular_file(file, error) && fs::file_size(file, error) > 0 && !is_of(file, format)) {
    throw UsageError(
        fmt::format("{}: expected a new file or one of format {}, got {}, which is something else; choose another name, "
                    "or remove it first",
                    option, format, file.string()));
  }
}

}  // namespace ropewalk
