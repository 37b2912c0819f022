#include "framework/positional/scaling/ntk.hpp"

#include <cmath>

#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {

void Ntk::describe(Fields& fields) {
  fields.add("factor", factor_, "s, how many times the trained length is asked for").at_least(1).limit_to(1e6);
}

std::vector<Complaint> Ntk::complaints(const Turning& turning, bool) const { return ntk_complaints(turning); }

std::vector<double> Ntk::frequencies(const Turning& turning, Index) const {
  return positional::frequencies(ntk_base(turning, factor_), turning.width);
}

double ntk_base(const Turning& turning, double s) {
  const double width = static_cast<double>(turning.width);
  return turning.base * std::pow(s, width / (width - 2));
}

std::vector<Complaint> ntk_complaints(const Turning& turning) {
  if (turning.width > 2) return {};
  return {{"kind", fmt::format("the exponent d/(d - 2) needs more than one pair: expected more than 2 elements that turn, got {}",
                               turning.width)}};
}

}  // namespace ropewalk::positional
