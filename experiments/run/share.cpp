#include "experiments/run/share.hpp"

#include <charconv>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

/// Digits alone, the whole text; 0 if it is anything else.
std::size_t whole_number(std::string_view text) {
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? number : 0;
}

}  // namespace

Share parse_share(const std::string& text) {
  const std::size_t slash = text.find('/');
  const Share share{whole_number(std::string_view(text).substr(0, slash)),
                    slash == std::string::npos ? 0 : whole_number(std::string_view(text).substr(slash + 1))};
  if (share.index < 1 || share.index > share.count) {
    throw UsageError(fmt::format("--share: expected I/N with I from 1 to N, such as 3/10, got {}", text));
  }
  return share;
}

}  // namespace ropewalk
