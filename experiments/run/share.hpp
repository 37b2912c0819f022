// A part of a plan, so that several machines can divide it among them without talking to each other.
#pragma once

#include <cstddef>
#include <string>

namespace ropewalk {

/// The `index`-th of `count` shares: every `count`-th run of the plan, the first of them at position `index` - 1. What is done
/// already does not matter, so a share is the same whenever it is asked for.
struct Share {
  std::size_t index = 1;
  std::size_t count = 1;

  /// Which of `count` shares has the run at `position` in the plan, from 0.
  static std::size_t index_of(std::size_t position, std::size_t count) { return position % count + 1; }
  bool holds(std::size_t position) const { return index_of(position, count) == index; }
  /// How many of a plan's runs.
  std::size_t size(std::size_t runs) const { return (runs + count - index) / count; }
};

/// Reads `3/10`, the third of ten. Throws `UsageError`.
Share parse_share(const std::string& text);

}  // namespace ropewalk
