#include "framework/positional/cape.hpp"

#include <cmath>

namespace ropewalk::positional {
namespace {

/// Uniform in [−bound, bound).
double around_zero(Stream& stream, double bound) { return bound * (2 * stream.uniform() - 1); }

}  // namespace

void Cape::describe(Fields& fields) {
  fields.add("shift", shift_, "the largest shift of a sequence, tokens, to either side").at_least(0).limit_to(1e4);
  fields.add("jitter", jitter_, "the largest shift of a token on its own; up to 0.5 the order stays").at_least(0).at_most(0.5);
  fields.add("scale", scale_, "the largest factor; the smallest is one over it").at_least(1).limit_to(16);
}

Positions Cape::positions(Index length, Index sequences, const Draws* draws) const {
  if (!draws || !draws->training) return contiguous(length);
  std::vector<double> values;
  for (Index s = 0; s < sequences; ++s) {
    Stream stream = draws->stream("positions", s);
    const double shift = around_zero(stream, shift_), scale = std::exp(around_zero(stream, std::log(scale_)));
    for (Index i = 0; i < length; ++i) values.push_back(scale * (static_cast<double>(i) + shift + around_zero(stream, jitter_)));
  }
  return {std::move(values), sequences};
}

Index Cape::reach(Index length) const {
  return static_cast<Index>(std::ceil(scale_ * (static_cast<double>(length - 1) + shift_ + jitter_))) + 1;
}

}  // namespace ropewalk::positional
