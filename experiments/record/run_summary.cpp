#include "experiments/record/run_summary.hpp"

#include <algorithm>

#include "experiments/record/format.hpp"
#include "experiments/record/hdf5.hpp"

namespace ropewalk {
namespace {

template <class T>
T attribute_or(const hdf5::Reader& file, const char* name, T otherwise) {
  return file.has_attribute("/", name) ? file.attribute<T>("/", name) : otherwise;
}

std::optional<std::int64_t> maybe_attribute(const hdf5::Reader& file, const char* name) {
  return file.has_attribute("/", name) ? std::optional(file.attribute<std::int64_t>("/", name)) : std::nullopt;
}

template <class T>
std::optional<T> last(const hdf5::Reader& file, const char* series) {
  const std::vector<T> values = file.read<T>(series);
  return values.empty() ? std::nullopt : std::optional(values.back());
}

}  // namespace

RunSummary read_summary(const std::filesystem::path& path) {
  const hdf5::Reader file(path);
  expect_format(file, kRunFormat, path.string());
  RunSummary run;
  run.run_id = file.attribute<std::string>("/", "run_id");
  run.config = file.attribute<std::string>("/", "config");
  run.status = file.attribute<std::string>("/", "status");
  run.message = attribute_or<std::string>(file, "message", "");
  run.tags = attribute_or<std::vector<std::string>>(file, "tags", {});
  run.notes = attribute_or<std::string>(file, "notes", "");
  run.host = attribute_or<std::string>(file, "host", "");
  run.process = maybe_attribute(file, "process");
  run.steps = maybe_attribute(file, "steps");
  run.recorded = last<std::int64_t>(file, "/train/step").value_or(0);
  run.step = std::max(run.recorded, last<std::int64_t>(file, "/evaluate/step").value_or(0));
  run.tokens = last<std::int64_t>(file, "/train/tokens").value_or(0);
  run.seconds = last<double>(file, "/train/seconds").value_or(0);
  run.loss = last<double>(file, "/train/loss");
  return run;
}

}  // namespace ropewalk
