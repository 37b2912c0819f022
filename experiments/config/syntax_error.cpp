#include "experiments/config/syntax_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

namespace ropewalk::config {
namespace {

struct Wording {
  std::string_view library;  // how its message begins; later versions of it append names
  std::string_view ours;
};

constexpr std::array<Wording, 9> wordings = {{
    {"end of sequence flow not found", "a list whose [ is never closed"},
    {"end of map flow not found", "a map whose { is never closed, or a key with a bracket in it that is not in quotes"},
    {"illegal flow end", "a closing bracket that does not match the one that is open"},
    {"end of map not found", "a line that is indented unlike those it belongs to"},
    {"end of sequence not found", "a line that is indented unlike those it belongs to"},
    {"illegal map value", "a colon where no value can begin; text with a colon in it goes in quotes"},
    {"illegal block entry", "a dash where no list can begin; a list is on lines of its own, or in [brackets]"},
    {"the referenced anchor is not defined", "an alias of an anchor that does not come before it"},
    {"unknown token", "a character that can begin no text; put the text in quotes"},
}};

std::string in_our_words(const std::string& message) {
  const auto found = std::find_if(wordings.begin(), wordings.end(),
                                  [&](const Wording& wording) { return message.starts_with(wording.library); });
  return found == wordings.end() ? message : std::string(found->ours);
}

// The first tab before the first letter of a line, up to that line.
std::optional<Place> tab_in_indentation(std::string_view text, const std::string& origin, int last_line) {
  for (int line = 1; line <= last_line && !text.empty(); ++line) {
    const std::size_t letter = text.find_first_not_of(' ');
    if (letter != std::string_view::npos && text[letter] == '\t') return Place{origin, line, static_cast<int>(letter) + 1};
    text.remove_prefix(std::min(text.size(), text.find('\n')));
    text.remove_prefix(text.empty() ? 0 : 1);
  }
  return std::nullopt;
}

}  // namespace

void add_syntax_error(std::string_view text, const Place& place, const std::string& message, Complaints& complaints) {
  const std::optional<Place> tab = tab_in_indentation(text, place.origin, place.line);
  const std::string got = tab ? "a tab in the indentation; use spaces" : in_our_words(message);
  complaints.add(tab.value_or(place), "", "expected valid YAML, got " + got);
}

}  // namespace ropewalk::config
