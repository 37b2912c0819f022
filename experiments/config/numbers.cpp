#include "experiments/config/numbers.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "framework/core/error.hpp"

namespace ropewalk::config {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// from_chars accepts `inf`, `nan` and leading zeros, and no leading plus.
std::string_view unsigned_part(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

bool has_number_shape(std::string_view text) {
  const std::string_view digits = unsigned_part(text);
  if (digits.empty()) return false;
  if (digits[0] == '.') return digits.size() > 1 && is_digit(digits[1]);
  return is_digit(digits[0]) && !(digits[0] == '0' && digits.size() > 1 && is_digit(digits[1]));
}

// The whole of a number's text read as T; empty if anything is left over or it does not fit.
template <class T>
std::optional<T> read(std::string_view text) {
  if (!has_number_shape(text)) return std::nullopt;
  if (text[0] == '+') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Beyond 2^53 a double no longer tells neighbouring integers apart.
std::optional<std::int64_t> integral(double value) {
  constexpr double exact = 9007199254740992.0;
  if (std::abs(value) > exact || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::string without_underscores_and_leading_zeros(std::string_view text) {
  std::string sign(text.substr(0, text.size() - unsigned_part(text).size()));
  std::string digits;
  for (const char letter : unsigned_part(text)) {
    if (letter != '_') digits += letter;
  }
  while (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) digits.erase(0, 1);
  return sign + digits;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) { return read<double>(text); }

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (const auto plain = read<std::int64_t>(text)) return plain;
  if (text.find_first_of("eE") == std::string_view::npos) return std::nullopt;
  const std::optional<double> number = parse_number(text);
  return number ? integral(*number) : std::nullopt;
}

std::string suggest_number(std::string_view text) {
  const std::string cleaned = without_underscores_and_leading_zeros(text);
  return parse_number(cleaned) ? cleaned : "";
}

std::string suggest_integer(std::string_view text) {
  const std::string cleaned = without_underscores_and_leading_zeros(text);
  if (parse_integer(cleaned)) return cleaned;
  const std::optional<double> number = parse_number(cleaned);
  const std::optional<std::int64_t> integer = number ? integral(*number) : std::nullopt;
  return integer ? fmt::format("{}", *integer) : "";
}

std::string format_number(double value) {
  check(std::isfinite(value), "config: expected a finite number to write, got {}", value);
  std::string text = fmt::format("{}", value);
  if (text.find('.') != std::string::npos) return text;
  const std::size_t exponent = text.find('e');
  return text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
}

}  // namespace ropewalk::config
