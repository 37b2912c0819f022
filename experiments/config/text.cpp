#include "experiments/config/text.hpp"

#include <algorithm>
#include <iterator>

namespace ropewalk::config {
namespace {

unsigned char byte_at(std::string_view text, std::size_t index) { return static_cast<unsigned char>(text[index]); }

bool is_allowed_ascii(unsigned char byte) {
  return (byte >= 0x20 && byte < 0x7f) || byte == '\t' || byte == '\n' || byte == '\r';
}

// Leading bytes, how many bytes follow, and the range of the first of those: it excludes overlong forms, surrogates and
// code points beyond U+10FFFF (The Unicode Standard 15, table 3-7).
struct Sequence {
  unsigned char lead_low, lead_high;
  std::size_t following;
  unsigned char second_low, second_high;
};
constexpr Sequence sequences[] = {
    {0xc2, 0xdf, 1, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0xa0, 0xbf}, {0xe1, 0xec, 2, 0x80, 0xbf}, {0xed, 0xed, 2, 0x80, 0x9f},
    {0xee, 0xef, 2, 0x80, 0xbf}, {0xf0, 0xf0, 3, 0x90, 0xbf}, {0xf1, 0xf3, 3, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x80, 0x8f},
};

bool in_range(unsigned char byte, unsigned char low, unsigned char high) { return low <= byte && byte <= high; }

const Sequence* sequence_of(unsigned char lead) {
  const auto leads = [&](const Sequence& sequence) { return in_range(lead, sequence.lead_low, sequence.lead_high); };
  const auto found = std::find_if(std::begin(sequences), std::end(sequences), leads);
  return found == std::end(sequences) ? nullptr : found;
}

// Length of the valid character that starts at `index`, 0 if there is none.
std::size_t character_length(std::string_view text, std::size_t index) {
  const unsigned char lead = byte_at(text, index);
  if (lead < 0x80) return is_allowed_ascii(lead) ? 1 : 0;
  const Sequence* sequence = sequence_of(lead);
  if (!sequence || index + sequence->following >= text.size()) return 0;
  if (!in_range(byte_at(text, index + 1), sequence->second_low, sequence->second_high)) return 0;
  for (std::size_t i = 2; i <= sequence->following; ++i) {
    if (!in_range(byte_at(text, index + i), 0x80, 0xbf)) return 0;
  }
  return sequence->following + 1;
}

BadByte bad_byte(std::string_view text, std::size_t index) {
  const std::string_view before = text.substr(0, index);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1, static_cast<int>(index - line_start) + 1,
          byte_at(text, index)};
}

// The index of the first letter of a value, past its anchors and tags.
std::size_t after_properties(std::string_view text, std::size_t start) {
  while (start < text.size() && (text[start] == '&' || text[start] == '!')) {
    start = text.find_first_of(" \t\r\n", start);
    start = std::min(text.find_first_not_of(" \t\r\n", start), text.size());
  }
  return start;
}

}  // namespace

std::size_t after_byte_order_mark(std::string_view text) { return text.starts_with("\xef\xbb\xbf") ? 3 : 0; }

bool is_closed(std::string_view text, std::size_t start) {
  start = after_properties(text, start);
  if (start >= text.size() || (text[start] != '"' && text[start] != '\'')) return true;
  const char quote = text[start];
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote) return true;
      ++i;  // '' stands for one quote
    }
  }
  return false;
}

std::optional<BadByte> find_bad_byte(std::string_view text) {
  for (std::size_t index = 0; index < text.size();) {
    const std::size_t length = character_length(text, index);
    if (length == 0) return bad_byte(text, index);
    index += length;
  }
  return std::nullopt;
}

}  // namespace ropewalk::config
