// The directory of a run, as it is typed.
#pragma once

#include <filesystem>

namespace ropewalk {

/// The path itself if something is there; else the one directory beside it whose name begins like it:
/// `results/bases/position-t5`. The path itself also if there is none such, for whoever reads it to complain. Throws
/// `UsageError`, listing them, if there are several.
std::filesystem::path complete_run(const std::filesystem::path& typed);

}  // namespace ropewalk
