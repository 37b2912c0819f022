// A value as a list of runs shows it, shorter than YAML.
#pragma once

#include <string>

#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// `500`, `[0.9, 0.98]`, `rope base=500 scaling=(yarn factor=4)`, `sum parts=[sinusoidal, alibi slopes=learned]`.
std::string in_words(const Tree& value);

}  // namespace ropewalk::config
