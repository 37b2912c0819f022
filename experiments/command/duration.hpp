// Seconds in words.
#pragma once

#include <fmt/core.h>

#include <string>

namespace ropewalk {

/// "12 s", "3 min 05 s", "2 h 07 min", "3 d 04 h"
inline std::string duration(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} d {:02} h", whole / 86400, whole % 86400 / 3600);
}

}  // namespace ropewalk
