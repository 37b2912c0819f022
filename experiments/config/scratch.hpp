// Settings at their defaults, to look things up in.
#pragma once

#include "experiments/config/settings.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

struct Scratch {
  Settings settings;
  Fields fields;
  Scratch() { settings.describe(fields); }
};

}  // namespace ropewalk::config
