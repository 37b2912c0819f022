#include "experiments/run/start.hpp"

#include "experiments/config/flat_settings.hpp"
#include "experiments/config/resolved.hpp"
#include "experiments/errors.hpp"
#include "experiments/run/parameters.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// The kinds of scheme in a model, part by part.
std::string scheme_of(const config::Settings& settings) {
  std::string kinds;
  for (const auto& [path, value] : config::flat_settings(config::text_of(settings))) {
    const bool whole = path == "model.position.kind";
    if (whole || (path.starts_with("model.position.parts[") && path.ends_with("].kind"))) kinds += value + " ";
  }
  return kinds;
}

std::string name_of(const RunRecord& record, std::int64_t step) { return fmt::format("run {} at step {}", record.run_id, step); }

/// The run in `directory`, done.
Start read_start(const fs::path& directory, const config::Settings& settings, const std::string& said_by) {
  const fs::path record_file = directory / "run.h5", checkpoint_file = directory / "checkpoint.h5";
  if (!fs::exists(record_file)) {
    throw FileError(
        fmt::format("{}{}: expected the directory of a run that is done, found no run.h5 there; name one such as "
                    "results/<name>/<run>",
                    said_by, directory.string()));
  }
  RunRecord record = read_run(record_file);
  if (record.status != "done") {
    throw FileError(fmt::format("{}{}: expected a run that is done, got one that is {}; go on with it by `ropewalk run` first",
                                said_by, directory.string(), record.status));
  }
  Checkpoint checkpoint = read_checkpoint(checkpoint_file);
  const config::Settings trained = config::parse_plan(checkpoint.config, checkpoint_file.string()).runs.back().settings;
  const std::string name = name_of(record, checkpoint.step);
  return {name, std::move(checkpoint), scheme_of(trained) == scheme_of(settings), std::move(record)};
}

nn::Transformer model_of(const config::Settings& settings) {
  return {settings.model, vocabulary_of(settings), settings.train.length, Random(static_cast<std::uint64_t>(settings.seed))};
}

void expect_fit(const config::RunConfig& config, const std::vector<NamedArray>& arrays, bool same_scheme,
                const std::string& setting, const std::string& name) {
  const std::string why = obstacle(model_of(config.settings), arrays, same_scheme);
  if (!why.empty()) throw UsageError(fmt::format("{}: the parameters of {} do not go with this model: {}", setting, name, why));
}

bool starts_alike(const config::Settings& a, const config::Settings& b) {
  const auto position = [](const config::Settings& settings) {
    auto flat = config::flat_settings(config::text_of(settings));
    std::erase_if(flat, [](const auto& entry) { return !entry.first.starts_with("model.position."); });
    return flat;
  };
  return position(a) == position(b);
}

}  // namespace

std::optional<Start> start_of(const config::RunConfig& config, const fs::path& directory) {
  if (!config.before.empty()) return read_start(directory.parent_path() / config.before, config.settings, "");
  if (!config.settings.train.from.empty()) return read_start(config.settings.train.from, config.settings, "train.from: ");
  return std::nullopt;
}

std::string start_now(const config::RunConfig& config) {
  const fs::path directory = config.settings.train.from;
  const bool named = config.before.empty() && !directory.empty() && fs::exists(directory / "checkpoint.h5");
  return named ? name_of(read_run(directory / "run.h5"), read_checkpoint(directory / "checkpoint.h5").step) : "";
}

void expect_start(const config::RunConfig& config, const config::RunConfig* before) {
  if (before) {
    if (starts_alike(config.settings, before->settings)) return;
    const nn::Transformer model = model_of(before->settings);
    const bool same_scheme = scheme_of(config.settings) == scheme_of(before->settings);
    expect_fit(config, named_arrays(model, model.flat()), same_scheme, fmt::format("train.stages[{}].position", config.stage - 2),
               "the stage before");
  } else if (!config.settings.train.from.empty()) {
    const Start start = read_start(config.settings.train.from, config.settings, "train.from: ");
    expect_fit(config, start.checkpoint.parameters, start.same_scheme, "train.from", start.name);
  }
}

}  // namespace ropewalk
