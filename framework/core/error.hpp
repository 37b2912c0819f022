// Errors the engine raises, and `check`, the one way it raises them.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace ropewalk {

/// Something a user can act on: the message names the place, what was expected, what it got and what to try.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws `Error` with the formatted message unless `condition` holds.
template <class... Arguments>
void check(bool condition, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (!condition) throw Error(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace ropewalk
