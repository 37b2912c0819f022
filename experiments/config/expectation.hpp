// What a setting accepts, in words: for errors and for `list settings`.
#pragma once

#include <string>

#include "framework/core/fields.hpp"

namespace ropewalk::config {

/// `integer`, `number`, `true or false`, `text`, `list of numbers`, `section`, `kind`, `list of kinds`.
std::string type_name(const Field& field);

/// `>= 1`, `in [0, 1)`, `one of a, b`, `2 elements`; joined by commas, empty if anything goes.
std::string bounds(const Field& field);

/// `an integer >= 1`, `one of decoder, encoder`, `a list of 2 numbers in [0, 1)`.
std::string expectation(const Field& field);

/// The same for one element of a list.
std::string element_expectation(const Field& field);

bool within_bounds(const Field& field, double value);
bool allowed_length(const Field& field, std::size_t length);

/// `a, b, c`.
std::string comma_separated(const std::vector<std::string>& words);

}  // namespace ropewalk::config
