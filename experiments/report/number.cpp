#include "experiments/report/number.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ropewalk {

std::optional<double> parse_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string format_number(double value, int decimals) {
  const double size = std::abs(value);
  if (size >= 1e6) return fmt::format("{:.2e}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, size >= 100 ? std::min(decimals, 1) : decimals);
}

std::string format_signed(double value, int decimals) {
  const std::string number = format_number(value, decimals);
  if (number.find_first_not_of("-0.") == std::string::npos) return format_number(0, decimals);
  return value > 0 ? "+" + number : number;
}

}  // namespace ropewalk
