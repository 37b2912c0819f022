#include "experiments/config/numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
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

// `0x10` and `0o20`, which other languages read.
std::string in_decimal(std::string_view text) {
  const std::string_view digits = unsigned_part(text).substr(std::min<std::size_t>(2, unsigned_part(text).size()));
  const std::string_view prefix = unsigned_part(text).substr(0, 2);
  const int base = prefix == "0x" || prefix == "0X" ? 16 : prefix == "0o" || prefix == "0O" ? 8 : 0;
  std::int64_t value = 0;
  if (base == 0) return "";
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  const bool whole = error == std::errc() && end == digits.data() + digits.size() && value >= 0;
  return whole ? fmt::format("{}{}", text[0] == '-' ? "-" : "", value) : "";
}

std::string without_separators_and_leading_zeros(std::string_view text) {
  if (const std::string decimal = in_decimal(text); !decimal.empty()) return decimal;
  std::string sign(text.substr(0, text.size() - unsigned_part(text).size()));
  std::string digits;
  for (const char letter : unsigned_part(text)) {
    if (letter != '_' && letter != ',') digits += letter;
  }
  while (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) digits.erase(0, 1);
  return sign + digits;
}

bool is_beyond_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc::result_out_of_range && end == text.data() + text.size();
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
  const std::string cleaned = without_separators_and_leading_zeros(text);
  return parse_number(cleaned) ? cleaned : "";
}

std::string suggest_integer(std::string_view text) {
  const std::string cleaned = without_separators_and_leading_zeros(text);
  if (parse_integer(cleaned)) return cleaned;
  const std::optional<double> number = parse_number(cleaned);
  const std::optional<std::int64_t> integer = number ? integral(*number) : std::nullopt;
  return integer ? fmt::format("{}", *integer) : "";
}

std::string why_no_number(std::string_view text) {
  std::string_view word = unsigned_part(text);
  if (word.starts_with('.')) word.remove_prefix(1);
  for (const char* name : {"inf", "Inf", "INF", "infinity", "Infinity", "nan", "NaN", "NAN"}) {
    if (word == name) return "which is not finite";
  }
  if (!has_number_shape(text)) return "";
  return is_beyond_double(unsigned_part(text)) ? "which is beyond double precision" : "";
}

std::string format_number(double value) {
  check(std::isfinite(value), "config: expected a finite number to write, got {}", value);
  std::string text = fmt::format("{}", value);
  if (text.find('.') != std::string::npos) return text;
  const std::size_t exponent = text.find('e');
  return text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
}

}  // namespace ropewalk::config
