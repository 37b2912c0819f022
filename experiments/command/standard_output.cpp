#include "experiments/command/standard_output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "experiments/errors.hpp"

namespace ropewalk {

void write_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  throw FileError(fmt::format("standard output: cannot write: {}", std::strerror(errno)));
}

}  // namespace ropewalk
