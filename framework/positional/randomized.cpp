#include "framework/positional/randomized.hpp"

#include <set>

namespace ropewalk::positional {

void Randomized::describe(Fields& fields) {
  fields.add("range", range_, "positions are drawn from 0 to this, less one").at_least(1).limit_to(1 << 17);
  fields.add("evaluation", evaluation_, "positions in an evaluation: contiguous from 0, or drawn as in training")
      .one_of({"contiguous", "drawn"});
}

std::vector<Complaint> Randomized::complaints(Index trained, const std::vector<Index>& lengths) const {
  std::vector<Complaint> found;
  const auto require = [&](Index length, const char* what) {
    if (length <= range_ || !found.empty()) return;
    found.push_back({"range", fmt::format("cannot draw {} different positions for {} out of {}", length, what, range_)});
  };
  require(trained, "the trained length");
  if (evaluation_ == "drawn") {
    for (Index length : lengths) require(length, "an evaluated length");
  }
  return found;
}

Positions Randomized::positions(Index length, Index sequences, const Draws* draws) const {
  if (!draws || (!draws->training && evaluation_ == "contiguous")) return contiguous(length);
  check(length <= range_, "randomized: cannot draw {} different positions out of {}", length, range_);
  std::vector<double> values;
  for (Index s = 0; s < sequences; ++s) {
    for (Index position : sorted_draw(length, range_, draws->stream("positions", s))) {
      values.push_back(static_cast<double>(position));
    }
  }
  return {std::move(values), sequences};
}

/// Floyd's algorithm (Bentley and Floyd 1987).
std::vector<Index> sorted_draw(Index count, Index range, Stream stream) {
  std::set<Index> drawn;
  for (Index last = range - count; last < range; ++last) {
    const auto candidate = static_cast<Index>(stream.below(static_cast<std::uint64_t>(last) + 1));
    if (!drawn.insert(candidate).second) drawn.insert(last);
  }
  return {drawn.begin(), drawn.end()};
}

}  // namespace ropewalk::positional
