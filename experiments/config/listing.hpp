// Every setting there is, flat: for `list settings` and for suggestions.
#pragma once

#include <string>
#include <vector>

#include "framework/core/fields.hpp"

namespace ropewalk::config {

struct SettingInfo {
  std::string path;    ///< `train.optimizer(adamw).rate`: settings of a kind carry the kind in parentheses
  std::string type;    ///< `integer`, `list of numbers`, `kind`
  std::string value;   ///< the default, as YAML
  std::string bounds;  ///< empty if anything goes
  std::string help;
};

/// All settings in the order they are declared, with those of every kind of a selection; sections themselves are left out. The
/// elements of a list of kinds are not listed again: they have the settings listed where one of that family is selected.
/// `fields`: settings at their defaults.
std::vector<SettingInfo> list_settings(Fields& fields);

/// `train.optimizer(adamw).rate` -> `train.optimizer.rate`, as it is written in a config.
std::string without_kinds(const std::string& path);

}  // namespace ropewalk::config
