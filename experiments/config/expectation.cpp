#include "experiments/config/expectation.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "experiments/config/schema.hpp"

namespace ropewalk::config {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

template <class T>
bool holds(const Field& field) {
  return std::holds_alternative<T>(field.target);
}

bool is_list(const Field& field) {
  return holds<std::vector<std::int64_t>*>(field) || holds<std::vector<double>*>(field) ||
         holds<std::vector<std::string>*>(field) || holds<SelectionList*>(field);
}

std::string element_type(const Field& field) {
  if (holds<std::int64_t*>(field) || holds<std::vector<std::int64_t>*>(field)) return "integer";
  if (holds<double*>(field) || holds<std::vector<double>*>(field)) return "number";
  if (holds<bool*>(field)) return "true or false";
  if (holds<SelectionList*>(field)) return "kind";
  return "text";
}

std::string element_kinds(const SelectionList& list) { return "each one of " + comma_separated(kind_names(*list.element())); }

std::string element_bounds(const Field& field) {
  const bool has_minimum = std::isfinite(field.minimum), has_maximum = std::isfinite(field.maximum);
  if (!field.choices.empty()) return "one of " + comma_separated(field.choices);
  if (has_minimum && has_maximum) {
    return fmt::format("in {}{}, {}{}", field.minimum_open ? '(' : '[', field.minimum, field.maximum,
                       field.maximum_open ? ')' : ']');
  }
  if (has_minimum) return fmt::format("{} {}", field.minimum_open ? ">" : ">=", field.minimum);
  if (has_maximum) return fmt::format("{} {}", field.maximum_open ? "<" : "<=", field.maximum);
  return "";
}

// `2 `, `at least 1 `, `1 to 3 `; empty for any number.
std::string list_length(const Field& field) {
  const std::size_t smallest = field.smallest.value_or(0), largest = field.largest.value_or(unlimited);
  if (smallest == largest) return fmt::format("{} ", smallest);
  if (largest != unlimited) return fmt::format("{} to {} ", smallest, largest);
  return smallest > 0 ? fmt::format("at least {} ", smallest) : "";
}

std::string plural(const Field& field) {
  if (!field.choices.empty()) return "words, each";
  const std::string type = element_type(field);
  return type == "text" ? "texts" : type + "s";
}

std::string spaced(const std::string& text) { return text.empty() ? "" : " " + text; }

}  // namespace

std::string comma_separated(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string type_name(const Field& field) {
  if (holds<Field::Section>(field)) return "section";
  if (holds<Selection*>(field)) return "kind";
  return is_list(field) ? "list of " + element_type(field) + (element_type(field) == "text" ? "" : "s") : element_type(field);
}

std::string bounds(const Field& field) {
  std::vector<std::string> parts;
  if (is_list(field) && !list_length(field).empty()) parts.push_back(list_length(field) + "elements");
  if (!element_bounds(field).empty()) parts.push_back(element_bounds(field));
  if (holds<SelectionList*>(field)) parts.push_back(element_kinds(*std::get<SelectionList*>(field.target)));
  return comma_separated(parts);
}

std::string element_expectation(const Field& field) {
  if (!field.choices.empty()) return element_bounds(field);
  const std::string type = element_type(field);
  const std::string article = type == "integer" ? "an " : type == "number" ? "a " : "";
  return article + type + spaced(element_bounds(field));
}

std::string expectation(const Field& field) {
  if (holds<Field::Section>(field) || holds<Selection*>(field)) return "a map of settings";
  if (!is_list(field)) return element_expectation(field);
  if (field.largest == std::size_t{0}) return "an empty list";
  return fmt::format("a list of {}{}{}", list_length(field), plural(field), spaced(element_bounds(field)));
}

bool within_bounds(const Field& field, double value) {
  const bool high_enough = field.minimum_open ? value > field.minimum : value >= field.minimum;
  const bool low_enough = field.maximum_open ? value < field.maximum : value <= field.maximum;
  return high_enough && low_enough;
}

bool allowed_length(const Field& field, std::size_t length) {
  return length >= field.smallest.value_or(0) && length <= field.largest.value_or(unlimited);
}

}  // namespace ropewalk::config
