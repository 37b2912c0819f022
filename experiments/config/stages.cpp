#include "experiments/config/stages.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/config/expectation.hpp"
#include "experiments/config/merge.hpp"
#include "experiments/text/nearest.hpp"

namespace ropewalk::config {
namespace {

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const StageKey& key : stage_keys()) names.push_back(key.key);
  return names;
}

const StageKey* find_key(const std::string& name) {
  const auto found = std::ranges::find(stage_keys(), name, &StageKey::key);
  return found == stage_keys().end() ? nullptr : &*found;
}

std::string path_of_stage(std::size_t index) { return fmt::format("train.stages[{}]", index); }

/// What of a stage can be used.
Tree known_part(const Tree& stage, const std::string& path, Complaints& complaints) {
  Tree known = Tree::map(stage.place);
  for (const Entry& entry : stage.entries) {
    if (find_key(entry.key)) {
      known.entries.push_back(entry);
    } else {
      const std::string what = "a setting that a stage can change (" + comma_separated(key_names()) + ")";
      complaints.add(entry.place, join(path, entry.key), expected(what, entry.key, nearest(entry.key, key_names())));
    }
  }
  return known;
}

/// `value` at the end of a path of sections: `a.b` -> {a: {b: value}}.
Tree nested(const std::string& path, const Entry& entry) {
  const std::size_t dot = path.find('.');
  Tree map = Tree::map(entry.place);
  map.entries.push_back(
      {path.substr(0, dot), entry.place, dot == std::string::npos ? entry.value : nested(path.substr(dot + 1), entry)});
  return map;
}

/// The path as a stage has it, if the setting is one that a stage can change.
std::optional<std::string> path_in_stage(const std::string& path) {
  for (const StageKey& key : stage_keys()) {
    const std::string whole = key.path;
    if (path == whole || path.starts_with(whole + ".") || path.starts_with(whole + "["))
      return key.key + path.substr(whole.size());
  }
  return std::nullopt;
}

}  // namespace

const std::vector<StageKey>& stage_keys() {
  static const std::vector<StageKey> keys = {
      {"length", "train.length"}, {"position", "model.position"},   {"positions", "model.positions"}, {"steps", "train.steps"},
      {"batch", "train.batch"},   {"rate", "train.optimizer.rate"}, {"schedule", "train.schedule"},   {"clip", "train.clip"},
  };
  return keys;
}

std::vector<Tree> take_stages(Tree& config, Complaints& complaints) {
  Entry* train = config.find("train");
  const Entry* found = train && train->value.is(Tree::Form::map) ? train->value.find("stages") : nullptr;
  if (!found) return {};
  const Tree list = found->value;
  train->value.erase("stages");
  if (!list.is(Tree::Form::list)) {
    const std::string near = list.is(Tree::Form::map) ? "a list of that one map, [{…}]" : "";
    complaints.add(list.place, "train.stages", expected("a list of maps, one for each later stage", describe(list), near));
    return {};
  }
  std::vector<Tree> stages;
  for (const Tree& stage : list.items) {
    const std::string path = path_of_stage(stages.size());
    if (stage.is(Tree::Form::map) && !stage.entries.empty()) {
      stages.push_back(known_part(stage, path, complaints));
    } else {
      const std::string what = "a map of what the stage changes (" + comma_separated(key_names()) + ")";
      complaints.add(stage.place, path, expected(what, stage.is(Tree::Form::map) ? "an empty map" : describe(stage)));
      stages.push_back(Tree::map(stage.place));
    }
  }
  return stages;
}

Tree with_stage(Tree config, const Tree& stage, Fields* schema) {
  for (const Entry& entry : stage.entries) config = merge(config, nested(find_key(entry.key)->path, entry), schema);
  return config;
}

Tree stage_of(const Tree& resolved) {
  Tree stage = Tree::map();
  for (const StageKey& key : stage_keys()) stage.entries.push_back({key.key, {}, *value_at(resolved, split_path(key.path))});
  return stage;
}

std::vector<Step> without_stage(std::span<const Step> steps) {
  const auto is = [&](std::size_t at, const char* name) { return at < steps.size() && steps[at] == Step(std::string(name)); };
  const bool in_stage = is(0, "train") && is(1, "stages") && steps.size() > 3 && steps[2].index() == 1;
  const StageKey* key = in_stage && steps[3].index() == 0 ? find_key(std::get<std::string>(steps[3])) : nullptr;
  if (!key) return {steps.begin(), steps.end()};
  std::vector<Step> outside = split_path(key->path);
  outside.insert(outside.end(), steps.begin() + 4, steps.end());
  return outside;
}

Complaints in_stage(const Complaints& complaints, std::size_t index, const Tree& stage) {
  Complaints renamed;
  for (const Complaint& complaint : complaints.all()) {
    const std::optional<std::string> path = path_in_stage(complaint.path);
    renamed.add(complaint.place.origin.empty() ? stage.place : complaint.place,
                path ? join(path_of_stage(index), *path) : complaint.path, complaint.message);
  }
  return renamed;
}

std::vector<SettingInfo> stage_settings(const std::vector<SettingInfo>& settings) {
  std::vector<SettingInfo> lines;
  for (const StageKey& key : stage_keys()) {
    const auto is_it = [&](const SettingInfo& setting) {
      const std::string path = without_kinds(setting.path);
      return path == key.path || path == std::string(key.path) + ".kind";
    };
    const auto found = std::ranges::find_if(settings, is_it);
    const bool section = found->type == "kind";
    lines.push_back({fmt::format("train.stages[].{}", key.key), section ? "section" : found->type, "",
                     section ? "" : found->bounds, fmt::format("{} in that stage; default: as in the one before", key.path)});
  }
  return lines;
}

}  // namespace ropewalk::config
