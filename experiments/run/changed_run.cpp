#include "experiments/run/changed_run.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "experiments/config/complaints.hpp"
#include "experiments/config/flat_settings.hpp"
#include "experiments/errors.hpp"
#include "experiments/run/parameters.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {
namespace {

using Flat = std::map<std::string, std::string>;

/// Paths at which two configs differ.
std::set<std::string> differences(const Flat& a, const Flat& b) {
  std::set<std::string> paths;
  const auto collect = [&](const Flat& here, const Flat& there) {
    for (const auto& [path, value] : here) {
      const auto other = there.find(path);
      if (other == there.end() || other->second != value) paths.insert(path);
    }
  };
  collect(a, b);
  collect(b, a);
  return paths;
}

std::string value_in(const Flat& flat, const std::string& path) {
  const auto place = flat.find(path);
  return place == flat.end() ? "nothing" : place->second;
}

/// True for `section` itself and for what is inside it.
bool is_in(const std::string& path, const std::string& section) {
  return path.starts_with(section) &&
         (path.size() == section.size() || path[section.size()] == '.' || path[section.size()] == '[');
}

/// `model.position.kind`, and `model.position.parts[0].kind` in a hybrid.
bool is_scheme(const std::string& path) {
  return path == "model.position.kind" || (is_in(path, "model.position.parts") && path.ends_with("].kind"));
}

/// Why a setting cannot be changed once the model is trained; empty if it can.
std::string objection(const std::string& path, Use use) {
  if (is_scheme(path)) return "with another scheme it is another model";
  if (is_in(path, "model.position")) return "";
  const bool looked_at =
      is_in(path, "model.positions") || is_in(path, "evaluate") || is_in(path, "task") || path == "record.attention";
  if (looked_at && path != "evaluate.every" && path != "task.kind") {
    return use == Use::evaluation ? "" : "a generation does not look at it";
  }
  if (is_in(path, "model")) return "with anything else it is another model";
  return "it belongs to the training, which is not done again";
}

/// One line for each setting that cannot be changed.
std::string objections(const Flat& trained, const Flat& changed, Use use) {
  std::string lines;
  for (const std::string& path : differences(trained, changed)) {
    const std::string reason = objection(path, use);
    if (reason.empty()) continue;
    lines += fmt::format("{}{}: expected {}, as the run was trained, got {}: {}", lines.empty() ? "" : "\n", path,
                         value_in(trained, path), value_in(changed, path), reason);
  }
  return lines;
}

/// One line for each argument that says something of an experiment: it would have no effect.
std::string objections_to_experiment(const std::vector<std::string>& sets) {
  std::string lines;
  for (const std::string& set : sets) {
    const std::string path = set.substr(0, set.find('='));
    for (const std::string& name : config::experiment_settings()) {
      if (is_in(path, name))
        lines += fmt::format("{}{}: it belongs to an experiment, not to a trained run", lines.empty() ? "" : "\n", path);
    }
  }
  return lines;
}

/// The positional settings that differ from those of the training, in a row.
std::string changed_positioning(const Flat& trained, const Flat& changed) {
  std::string paths;
  for (const std::string& path : differences(trained, changed)) {
    if (is_in(path, "model")) paths += (paths.empty() ? "" : ", ") + path;
  }
  return paths;
}

/// `flat` with what `sets` say of settings that are in it, as they say it.
Flat as_asked(Flat flat, const std::vector<std::string>& sets) {
  for (const std::string& set : sets) {
    const std::size_t equals = std::min(set.find('='), set.size());
    const auto place = flat.find(set.substr(0, equals));
    if (place != flat.end() && equals < set.size()) place->second = set.substr(equals + 1);
  }
  return flat;
}

/// A model that cannot be often comes from a setting that was not to be changed: that is said first.
config::Plan plan_under(const TrainedRun& run, const std::vector<std::string>& sets, Use use) {
  try {
    return config::parse_plan(run.config.yaml, (run.directory / "config.yaml").string(), sets);
  } catch (const config::ConfigErrors& errors) {
    const Flat trained = config::flat_settings(run.config.yaml);
    const std::string lines = objections(trained, as_asked(trained, sets), use);
    if (lines.empty()) throw;
    throw UsageError(lines + "\n" + errors.what());
  }
}

}  // namespace

config::RunConfig changed_config(const TrainedRun& run, const std::vector<std::string>& sets, Use use) {
  if (const std::string lines = objections_to_experiment(sets); !lines.empty()) throw UsageError(lines);
  config::Plan plan = plan_under(run, sets, use);
  if (plan.runs.size() != 1) {
    throw UsageError(fmt::format("sweep: expected settings of one run, got a sweep of {} runs", plan.runs.size()));
  }
  config::RunConfig changed = std::move(plan.runs.front());
  const std::string lines = objections(config::flat_settings(run.config.yaml), config::flat_settings(changed.yaml), use);
  if (!lines.empty()) throw UsageError(lines);
  return changed;
}

std::unique_ptr<nn::Transformer> restored_model(const TrainedRun& run, const config::RunConfig& changed) {
  const config::Settings& settings = changed.settings;
  auto model = std::make_unique<nn::Transformer>(settings.model, vocabulary_of(settings), settings.train.length,
                                                 Random(static_cast<std::uint64_t>(settings.seed)));
  const std::string paths = changed_positioning(config::flat_settings(run.config.yaml), config::flat_settings(changed.yaml));
  if (const std::string why = misfit(*model, run.parameters); !why.empty() && !paths.empty()) {
    throw UsageError(fmt::format("{}: does not go with the trained parameters: {}", paths, why));
  }
  copy_back(run.parameters, *model, model->flat());
  return model;
}

}  // namespace ropewalk
