// From a config to the runs it asks for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/config/experiment.hpp"
#include "experiments/config/listing.hpp"
#include "experiments/config/settings.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// Value of a swept setting, in words: `500`, `[0.9, 0.98]`, `rope base=500`.
struct AxisValue {
  std::string path;
  std::string value;
};

/// One run, resolved.
struct RunConfig {
  std::string id;
  Settings settings;              ///< of its last stage, as if that were the whole training
  std::string yaml;               ///< every setting of every stage; decodes to `settings` again
  std::vector<AxisValue> axes;    ///< what sets it apart in its sweep; empty without one
  int stage = 1;                  ///< how many it has
  std::string before;             ///< id of the run that is this one without its last stage, from which it starts; empty: none
  std::int64_t steps_before = 0;  ///< optimizer steps of all stages before the last
  bool asked = true;              ///< false: the sweep has no such point, it is there for those that start from it

  /// Optimizer steps, in all stages together.
  std::int64_t steps() const { return steps_before + settings.train.steps; }
};

struct Plan {
  std::string name;                   ///< of the experiment
  std::string yaml;                   ///< the config, `extends` and `--set` applied: `parse_plan` makes the same plan of it
  Experiment experiment;              ///< what the config says beside that
  std::vector<RunConfig> runs;        ///< in the order of the sweep, no id twice; a run comes after the one it starts from
  std::vector<std::string> warnings;  ///< such as points of the sweep that are the same run
};

/// Reads a config with what it extends, applies `--set` arguments, an outer setting before what is inside it, and expands its
/// sweep. `name` defaults to the name of the file. Throws `ConfigErrors` with every mistake there is, `FileError` for a file that
/// cannot be read.
Plan load_plan(const std::filesystem::path& file, const std::vector<std::string>& sets = {});

/// The same for the text of a config that stands alone, such as the resolved one of a run; errors name `origin`.
Plan parse_plan(const std::string& text, const std::string& origin, const std::vector<std::string>& sets = {});

/// Everything a config can say, with the settings of every kind, those of the experiment, `extends` and `sweep`.
std::vector<SettingInfo> every_setting();

}  // namespace ropewalk::config
