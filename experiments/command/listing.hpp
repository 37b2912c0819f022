// `ropewalk list`: generated from the declarations that parse the config.
#pragma once

#include <string>
#include <vector>

namespace ropewalk {

/// schemes, scalings, samplers, tasks, metrics, settings
const std::vector<std::string>& listing_subjects();

/// One of them, as text for a terminal.
std::string listing(const std::string& subject);

}  // namespace ropewalk
