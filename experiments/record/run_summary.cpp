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

/// How far and how fast it is. Only a stretch of recent steps says how fast: stages differ, and so do the hours of a machine.
void read_progress(const hdf5::Reader& file, RunSummary& run) {
  constexpr std::size_t kRecent = 10;  // recorded steps
  const auto steps = file.read<std::int64_t>("/train/step"), tokens = file.read<std::int64_t>("/train/tokens");
  const auto seconds = file.read<double>("/train/seconds");
  run.step = last<std::int64_t>(file, "/evaluate/step").value_or(0);
  if (steps.empty() || tokens.size() != steps.size() || seconds.size() != steps.size()) return;
  run.recorded = steps.back();
  run.step = std::max(run.step, run.recorded);
  const std::size_t from = steps.size() - 1 - std::min(kRecent, steps.size() - 1);
  const bool whole = from + 1 == steps.size();  // a single one: since the beginning
  const auto recent = [&](const auto& series) { return static_cast<double>(series.back() - (whole ? 0 : series[from])); };
  if (recent(seconds) <= 0 || recent(steps) <= 0) return;
  run.seconds_per_step = recent(seconds) / recent(steps);
  run.tokens_per_second = recent(tokens) / recent(seconds);
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
  run.loss = last<double>(file, "/train/loss");
  read_progress(file, run);
  return run;
}

}  // namespace ropewalk
