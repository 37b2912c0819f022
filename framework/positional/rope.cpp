#include "framework/positional/rope.hpp"

#include <cmath>

#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {

void Rope::describe(Fields& fields) {
  fields.add("base", base_, "base of the frequencies; a larger one turns more slowly").above(1);
  fields.add("layout", layout_, "pairs: interleaved (2j, 2j+1) or half (j, j + d/2)").one_of({"interleaved", "half"});
  fields.add("fraction", fraction_, "part of each head that rotates, from its first element on").above(0).at_most(1);
}

std::vector<Complaint> Rope::complaints(const Context& context, const std::vector<Index>&) const {
  const double exact = fraction_ * static_cast<double>(context.head_width());
  const Index width = rotating(context.head_width());
  if (width > 0 && width % 2 == 0 && std::abs(exact - static_cast<double>(width)) < 1e-6) return {};
  return {{"fraction", fmt::format("rotation works on pairs: expected fraction times the head width {} to be an even number of "
                                   "elements, got {}",
                                   context.head_width(), exact)}};
}

Index Rope::rotating(Index width) const { return std::llround(fraction_ * static_cast<double>(width)); }

RotationTables Rope::rotation(const Positions& positions, Type type) const {
  const std::vector<double> turning = frequencies(base_, rotating_);
  const Shape shape{static_cast<Index>(positions.size()), static_cast<Index>(turning.size())};
  std::vector<double> cosine, sine;
  for (double position : positions) {
    for (double frequency : turning) {
      cosine.push_back(std::cos(position * frequency));
      sine.push_back(std::sin(position * frequency));
    }
  }
  return {Tensor::of(cosine, shape, type), Tensor::of(sine, shape, type), layout_ == "interleaved"};
}

}  // namespace ropewalk::positional
