// `ropewalk check`: everything that is wrong with configs, before anything runs.
#pragma once

#include <string>
#include <vector>

namespace ropewalk {

/// Prints the mistakes of every file, those of its texts included, and what is fine. Returns the exit code: 0; 2 for a config
/// with mistakes; 3 if a config or a text cannot be read, whatever else is wrong.
int check_configs(const std::vector<std::string>& files, const std::vector<std::string>& sets);

}  // namespace ropewalk
