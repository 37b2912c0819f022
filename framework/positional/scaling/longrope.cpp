#include "framework/positional/scaling/longrope.hpp"

#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {

void LongRope::describe(Fields& fields) {
  fields.add("factors", factors_, "by which each pair is stretched, from the fastest to the slowest")
      .at_least(1e-3)
      .limit_to(1e9);
  fields.add("keep", keep_, "how many first positions turn as without scaling").at_least(0).limit_to(1 << 30);
}

std::vector<Complaint> LongRope::complaints(const Turning& turning, bool) const {
  if (static_cast<Index>(factors_.size()) == turning.pairs()) return {};
  return {
      {"factors", fmt::format("expected {} factors, one for each pair that turns, got {}", turning.pairs(), factors_.size())}};
}

std::vector<double> LongRope::frequencies(const Turning& turning, Index) const {
  std::vector<double> result = positional::frequencies(turning.base, turning.width);
  for (std::size_t j = 0; j < result.size(); ++j) result[j] /= factors_[j];
  return result;
}

}  // namespace ropewalk::positional
