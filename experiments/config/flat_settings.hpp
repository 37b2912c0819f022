// A resolved config as a flat list, for whoever compares configs without knowing their settings.
#pragma once

#include <map>
#include <string>

namespace ropewalk::config {

/// Every setting of a resolved config by its dotted path, with its value as YAML; those of the elements of a list of kinds one by
/// one, `model.position.parts[0].kind`. Throws `Error` if it is not YAML.
std::map<std::string, std::string> flat_settings(const std::string& config);

}  // namespace ropewalk::config
