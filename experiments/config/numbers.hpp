// Numbers as settings write them, read by us: YAML 1.1 reads `010` as 8 and `.nan` as a number, and libraries differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ropewalk::config {

/// A decimal number with optional fraction and exponent, no leading zeros, finite in double. Empty for anything else.
std::optional<double> parse_number(std::string_view text);

/// Plain decimal, or an exponent that comes out integral (`1e3`). Empty for anything else, and beyond 64 bits.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// What a text that is no number was probably meant to be: `010` -> `10`, `65_536` -> `65536`, `0x10` -> `16`. Empty if there is
/// no guess.
std::string suggest_number(std::string_view text);
/// The same for an integer, where also `64.0` -> `64`.
std::string suggest_integer(std::string_view text);

/// Why a text that looks like a number is none: it is beyond what fits, or not finite. Empty otherwise.
std::string why_no_number(std::string_view text);

/// Shortest text that reads back as the same double, with a point (`500.0`, `1.0e-08`): YAML 1.1 readers take `1e-08` for
/// text. Throws `Error` unless the value is finite.
std::string format_number(double value);

}  // namespace ropewalk::config
