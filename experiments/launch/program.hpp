// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

namespace ropewalk {

struct ProgramResult {
  int exit_code = 0;  ///< 128 + its number if a signal ended the program
  std::string output;
  std::string errors;
};

/// Runs `command`, the program first, looked up on the PATH, without standard input and without a shell. Throws `FileError` if
/// it cannot be started.
ProgramResult run_program(const std::vector<std::string>& command);

}  // namespace ropewalk
