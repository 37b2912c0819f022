#include "experiments/run/start.hpp"

#include <algorithm>

#include "experiments/config/encode.hpp"
#include "experiments/errors.hpp"
#include "experiments/run/parameters.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

config::Tree position_of(config::Settings settings) {
  Fields fields;
  fields.selection("position", settings.model.position, "");
  return config::encode(fields).entries.front().value;
}

/// The kind of scheme in a model, and of its parts.
std::string scheme_of(const config::Tree& position) {
  std::string kinds = position.find("kind")->value.text;
  if (const config::Entry* parts = position.find("parts")) {
    for (const config::Tree& part : parts->value.items) kinds += " " + scheme_of(part);
  }
  return kinds;
}

/// What computes another function of the same parameters, in the words of a config; empty if nothing does.
std::string other_model(const nn::TransformerSettings& ours, const nn::TransformerSettings& theirs) {
  const auto differ = [](const char* name, const auto& now, const auto& then) {
    return now == then ? "" : fmt::format("model.{}: expected {}, as that run was trained, got {}", name, then, now);
  };
  for (const std::string& line :
       {differ("kind", ours.kind, theirs.kind), differ("heads", ours.heads, theirs.heads),
        differ("activation", ours.activation, theirs.activation), differ("norm", ours.norm, theirs.norm)}) {
    if (!line.empty()) return line;
  }
  return "";
}

bool have_same_scheme(const config::Settings& a, const config::Settings& b) {
  return scheme_of(position_of(a)) == scheme_of(position_of(b));
}

/// Of a run that is done.
std::string name_of(const RunRecord& record) {
  return fmt::format("run {} at step {}", record.run_id, record.evaluate.step.back());
}

Checkpoint read_trained(const fs::path& file) try { return read_checkpoint(file); } catch (const FileError& error) {
  throw FileError(fmt::format(
      "{}; the run's parameters are lost: restore the file, or move the run's directory away to train it anew", error.what()));
}

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
    throw FileError(
        fmt::format("{}{}: expected a run that is done, got one that is {}; {}", said_by, directory.string(), record.status,
                    record.status == "diverged" ? "it would diverge again" : "go on with it by `ropewalk run` first"));
  }
  Checkpoint checkpoint = read_trained(checkpoint_file);
  const config::Settings trained = config::parse_plan(checkpoint.config, checkpoint_file.string()).runs.back().settings;
  const std::string name = name_of(record);
  if (const std::string line = other_model(settings.model, trained.model); !line.empty()) {
    throw UsageError(fmt::format("{}{}: {}", said_by, directory.string(), line));
  }
  return {name, std::move(checkpoint), have_same_scheme(trained, settings), std::move(record)};
}

nn::Transformer model_of(const config::Settings& settings) {
  return {settings.model, vocabulary_of(settings), settings.train.length, Random(static_cast<std::uint64_t>(settings.seed))};
}

void expect_fit(const config::RunConfig& config, const std::vector<NamedArray>& arrays, bool same_scheme,
                const std::string& setting, const std::string& name) {
  const std::string why = obstacle(model_of(config.settings), arrays, same_scheme);
  if (!why.empty()) throw UsageError(fmt::format("{}: the parameters of {} do not go with this model: {}", setting, name, why));
}

}  // namespace

std::optional<Start> start_of(const config::RunConfig& config, const fs::path& directory) {
  if (!config.before.empty()) return read_start(directory.parent_path() / config.before, config.settings, "");
  if (!config.settings.train.from.empty()) return read_start(config.settings.train.from, config.settings, "train.from: ");
  return std::nullopt;
}

std::string start_now(const config::RunConfig& config) try {
  const fs::path directory = config.settings.train.from;
  if (!config.before.empty() || directory.empty() || !fs::exists(directory / "run.h5")) return "";
  const RunRecord record = read_run(directory / "run.h5");
  return record.status == "done" ? name_of(record) : "";
} catch (const FileError&) {
  return "";  // what is damaged is no other run
}

void expect_start(const config::RunConfig& config, const config::RunConfig* before) {
  if (before) {
    if (config::same_content(position_of(config.settings), position_of(before->settings))) return;  // so are the parameters
    const nn::Transformer model = model_of(before->settings);
    expect_fit(config, named_arrays(model, model.flat()), have_same_scheme(config.settings, before->settings),
               fmt::format("train.stages[{}].position", config.stage - 2), "the stage before");
  } else if (!config.settings.train.from.empty()) {
    const Start start = read_start(config.settings.train.from, config.settings, "train.from: ");
    expect_fit(config, start.checkpoint.parameters, start.same_scheme, "train.from", start.name);
  }
}

void expect_ready(const config::RunConfig& config, const config::Plan& plan) {
  expect_trainable(config.settings, *corpus_of(config.settings));
  if (config.before.empty()) return expect_start(config, nullptr);
  const auto before = std::ranges::find(plan.runs, config.before, &config::RunConfig::id);
  expect_start(config, before == plan.runs.end() ? nullptr : &*before);
}

}  // namespace ropewalk
