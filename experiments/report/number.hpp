// Settings that are numbers.
#pragma once

#include <charconv>
#include <optional>
#include <string>

namespace ropewalk {

/// The whole text as a number; none if it is not one.
inline std::optional<double> parse_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace ropewalk
