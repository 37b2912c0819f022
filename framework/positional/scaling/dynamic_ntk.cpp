#include "framework/positional/scaling/dynamic_ntk.hpp"

#include <algorithm>

#include "framework/positional/frequency.hpp"
#include "framework/positional/scaling/ntk.hpp"

namespace ropewalk::positional {

std::vector<Complaint> DynamicNtk::complaints(const Turning& turning, bool) const { return ntk_complaints(turning); }

std::vector<double> DynamicNtk::frequencies(const Turning& turning, Index length) const {
  const double s = std::max(1.0, static_cast<double>(length) / static_cast<double>(original(turning)));
  return positional::frequencies(ntk_base(turning, s), turning.width);
}

}  // namespace ropewalk::positional
