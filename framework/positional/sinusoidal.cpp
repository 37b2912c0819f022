#include "framework/positional/sinusoidal.hpp"

#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {

void Sinusoidal::describe(Fields& fields) {
  fields.add("base", base_, "wavelengths run from 2π to about 2π·base tokens").above(1);
  fields.add("scale", scale_, "factor on the encoding before it is added").above(0).limit_to(1e6);
}

std::vector<Complaint> Sinusoidal::complaints(const Context& context, const std::vector<Index>&) const {
  if (context.width % 2 == 0) return {};
  return {{"", fmt::format("sinusoidal pairs a sine with a cosine and needs an even model.width, got {}", context.width)}};
}

Tensor Sinusoidal::embed(const Tensor& x, const Sequences& sequences) const {
  return add(x, convert(ropewalk::scale(sinusoid(sequences.positions, x.dim(-1), base_), scale_), x.type()));
}

Tensor sinusoid(const Positions& positions, Index width, double base) {
  check(width % 2 == 0, "sinusoid: expected an even width, got {}", width);
  Tensor encoding = Tensor::empty({positions.sequences(), positions.length(), width}, Type::f64);
  double* at = encoding.data<double>();
  const std::vector<double> turning = frequencies(base, width);
  for (double position : positions.values()) {
    for (double frequency : turning) {
      *at++ = std::sin(position * frequency);
      *at++ = std::cos(position * frequency);
    }
  }
  return encoding;
}

}  // namespace ropewalk::positional
