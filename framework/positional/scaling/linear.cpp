#include "framework/positional/scaling/linear.hpp"

#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {

void Linear::describe(Fields& fields) {
  fields.add("factor", factor_, "s, how many times the trained length is asked for").at_least(1).limit_to(1e6);
}

std::vector<double> Linear::frequencies(const Turning& turning, Index) const {
  std::vector<double> result = positional::frequencies(turning.base, turning.width);
  for (double& frequency : result) frequency /= factor_;
  return result;
}

}  // namespace ropewalk::positional
