// Settings that are fine and change nothing.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/settings.hpp"

namespace ropewalk::config {

/// A line for each; worth a warning, since whoever gave them expects a difference.
std::vector<std::string> idle_settings(const Settings& settings);

}  // namespace ropewalk::config
