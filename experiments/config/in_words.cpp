#include "experiments/config/in_words.hpp"

#include <fmt/core.h>

#include <vector>

#include "experiments/config/encode.hpp"
#include "experiments/config/expectation.hpp"

namespace ropewalk::config {
namespace {

// In parentheses if its settings could be taken for those of what it is in: `rope scaling=(yarn factor=4) base=500`.
std::string in_words_inside(const Tree& value) {
  const std::string words = in_words(value);
  return value.is(Tree::Form::map) && words.find(' ') != std::string::npos ? "(" + words + ")" : words;
}

std::string section_in_words(const Tree& section) {
  const Entry* kind = section.find("kind");
  std::string words = kind ? kind->value.text : "";
  for (const Entry& entry : section.entries) {
    if (entry.key != "kind") words += fmt::format("{}{}={}", words.empty() ? "" : " ", entry.key, in_words_inside(entry.value));
  }
  return words;
}

}  // namespace

std::string in_words(const Tree& value) {
  if (value.is(Tree::Form::map)) return section_in_words(value);
  if (!value.is(Tree::Form::list)) return value.is(Tree::Form::scalar) ? value.text : flow_yaml(value);
  std::vector<std::string> items;
  for (const Tree& item : value.items) items.push_back(in_words(item));
  return "[" + comma_separated(items) + "]";
}

}  // namespace ropewalk::config
