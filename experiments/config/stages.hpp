// Later stages of a training: `train.stages`, each a map of what it changes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/listing.hpp"
#include "experiments/config/merge.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// A setting that a stage can change: what it is called there, and in a config.
struct StageKey {
  const char* key;   ///< `position`
  const char* path;  ///< `model.position`
};
const std::vector<StageKey>& stage_keys();

/// Takes `train.stages` out of a config. What is no map, or no setting of a stage, is complained of and left out.
std::vector<Tree> take_stages(Tree& config, Complaints& complaints);

/// A config with what a stage changes laid over it: the config of that stage, as if it were the whole training.
Tree with_stage(Tree config, const Tree& stage, Fields* schema);

/// What a stage's resolved config says of everything that a stage can change: `train.stages` leaves nothing to be inherited.
Tree stage_of(const Tree& resolved);

/// The setting that a path stands for: `train.stages[0].length` for train.length; any other path as it is.
std::vector<Step> without_stage(std::span<const Step> steps);

/// Complaints about stage number `index` of `train.stages`, in the words in which it was written.
Complaints in_stage(const Complaints& complaints, std::size_t index, const Tree& stage);

/// Lines for `list settings`.
std::vector<SettingInfo> stage_settings(const std::vector<SettingInfo>& settings);

}  // namespace ropewalk::config
