// Numbers as text: settings that are some, and cells of tables.
#pragma once

#include <optional>
#include <string>

namespace ropewalk {

/// The whole text as a number; none if it is not one.
std::optional<double> parse_number(const std::string& text);

/// Fewer decimals for larger numbers, so that a model far beyond its length does not widen the table.
std::string format_number(double value, int decimals);

/// The same with a sign in front; what is rounded to 0 has none.
std::string format_signed(double value, int decimals);

}  // namespace ropewalk
