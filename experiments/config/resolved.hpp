// Settings of a run as text and back, with nothing left open: how they go to another process.
#pragma once

#include <string>

#include "experiments/config/settings.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// Every setting.
Tree tree_of(Settings settings);

/// The same in YAML.
std::string text_of(Settings settings);

/// The inverse. It takes the values as they are: no checks of one setting against another, nothing filled in. Throws
/// `ConfigErrors` for a text that `text_of` has not written.
Settings settings_of(const std::string& text);

}  // namespace ropewalk::config
