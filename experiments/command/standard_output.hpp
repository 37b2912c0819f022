// What the program's results are written to, where it matters whether they arrive.
#pragma once

#include <string_view>

namespace ropewalk {

/// Writes all of it, at once. Throws `FileError` if that fails.
void write_out(std::string_view text);

}  // namespace ropewalk
