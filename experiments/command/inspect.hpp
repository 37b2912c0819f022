// `ropewalk inspect`: a scheme's own tensors, for looking and for checking.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk {

struct InspectArguments {
  std::filesystem::path source;   ///< a config, or the directory of a run, whose trained parameters are then taken
  std::vector<std::string> sets;  ///< a.b=value
  Index length = 0;               ///< tokens
  std::filesystem::path output;
};

/// Writes the file and says on standard output what is in it; returns the exit code. A sweep must leave one run but for the seed,
/// of which the first is taken. Throws `UsageError` and `FileError`.
int inspect_scheme(const InspectArguments& arguments);

}  // namespace ropewalk
