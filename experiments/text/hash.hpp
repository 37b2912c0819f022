// A hash that is the same on every machine and for ever.
#pragma once

#include <cstdint>
#include <string_view>

namespace ropewalk {

/// FNV-1a, 64 bits (Fowler, Noll, Vo). Each step is a bijection of the sum, so any single changed byte changes the result.
std::uint64_t fnv1a(std::string_view bytes);

}  // namespace ropewalk
