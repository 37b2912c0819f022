#include <algorithm>

#include "experiments/config/plan.hpp"
#include "experiments/config/scratch.hpp"
#include "experiments/config/stages.hpp"

namespace ropewalk::config {
namespace {

// What stands side by side multiplies.
std::vector<SettingInfo> sweep_settings() {
  return {
      {"sweep.grid", "axes", "{}", "", "setting: [values]; every combination is a run"},
      {"sweep.zip", "axes", "{}", "equally many values", "setting: [values]; the axes move together"},
      {"sweep.list", "list of points", "", "",
       "{setting: value, …}; each is a run, or, with grid, zip, list, random, seeds or exclude in it, a sweep of its own"},
      {"sweep.random.count", "integer", "", "in [1, 100000]", "how many points are drawn; more leave the first as they are"},
      {"sweep.random.seed", "integer", "0", ">= 0", "of the draws, not of the runs"},
      {"sweep.random.axes", "axes", "{}", "",
       "setting: {range: [low, high]}, {log: [low, high]} or {choice: [values]}; whole numbers where the setting is one"},
      {"sweep.seeds", "integer or list of integers", "", ">= 1, or each >= 0", "how many seeds, counted from `seed`, or which"},
      {"sweep.exclude", "list of conditions", "[]", "",
       "{setting: value or [values], …}; a point for which all of one holds is left out"},
  };
}

}  // namespace

std::vector<SettingInfo> every_setting() {
  Scratch scratch;
  std::vector<SettingInfo> settings = list_settings(scratch.fields);
  const std::vector<SettingInfo> stages = stage_settings(settings);
  const auto place = std::ranges::find(settings, "train.stages", &SettingInfo::path);
  *place = {"train.stages", "list of sections", "[]", "", place->help};
  settings.insert(place + 1, stages.begin(), stages.end());
  Experiment experiment;
  Fields fields;
  experiment.describe(fields);
  for (SettingInfo& setting : list_settings(fields)) settings.push_back(std::move(setting));
  settings.push_back({"extends", "text", "", "", "file whose settings apply where this one is silent, relative to this one"});
  for (const SettingInfo& setting : sweep_settings()) settings.push_back(setting);
  return settings;
}

}  // namespace ropewalk::config
