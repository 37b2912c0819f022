#include "framework/positional/offset.hpp"

namespace ropewalk::positional {

void Offset::describe(Fields& fields) {
  fields.add("max", max_, "the largest shift, tokens; each from 0 on is as likely").at_least(1).limit_to(1 << 17);
}

Positions Offset::positions(Index length, Index sequences, const Draws* draws) const {
  if (!draws || !draws->training) return contiguous(length);
  std::vector<double> values;
  for (Index s = 0; s < sequences; ++s) {
    Stream stream = draws->stream("positions", s);
    const auto shift = static_cast<double>(stream.below(static_cast<std::uint64_t>(max_) + 1));
    for (Index i = 0; i < length; ++i) values.push_back(shift + static_cast<double>(i));
  }
  return {std::move(values), sequences};
}

}  // namespace ropewalk::positional
