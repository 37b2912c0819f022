#include "framework/positional/scaling/llama3.hpp"

#include <algorithm>
#include <numbers>

#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {

void Llama3::describe(Fields& fields) {
  fields.add("factor", factor_, "by which slow pairs are stretched").at_least(1).limit_to(1e6);
  fields.add("low", low_, "pairs that turn less often within the trained length are stretched").above(0).limit_to(1e6);
  fields.add("high", high_, "pairs that turn more often are left alone").above(0).limit_to(1e6);
  describe_original(fields);
}

std::vector<Complaint> Llama3::complaints(const Turning&, bool) const {
  if (high_ > low_) return {};
  return {{"high", fmt::format("expected more than low {}, got {}", low_, high_)}};
}

std::vector<double> Llama3::frequencies(const Turning& turning, Index) const {
  std::vector<double> result = positional::frequencies(turning.base, turning.width);
  for (double& frequency : result) {
    const double turns = static_cast<double>(original(turning)) * frequency / (2 * std::numbers::pi);  // L/λ
    const double kept = std::clamp((turns - low_) / (high_ - low_), 0.0, 1.0);
    frequency = (1 - kept) * frequency / factor_ + kept * frequency;
  }
  return result;
}

}  // namespace ropewalk::positional
