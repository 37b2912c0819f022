// Words in a row.
#pragma once

#include <string>
#include <vector>

namespace ropewalk {

/// The words with `separator` between them. (fmt::join would do, but GCC 12 warns about fmt 9 wherever it is used.)
std::string join(const std::vector<std::string>& words, const std::string& separator);

}  // namespace ropewalk
