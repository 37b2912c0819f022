// `ropewalk generate`: text from a trained run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/run/generation.hpp"

namespace ropewalk {

struct GenerateArguments {
  std::filesystem::path run;
  std::vector<std::string> sets;
  GenerationSettings generation;
};

/// Writes what follows the prompt to the standard output, byte by byte as it comes. Returns the exit code: 0, or 130 if a signal
/// came first.
int generate_text(const GenerateArguments& arguments);

}  // namespace ropewalk
