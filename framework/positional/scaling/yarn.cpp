#include "framework/positional/scaling/yarn.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {

void Yarn::describe(Fields& fields) {
  fields.add("factor", factor_, "s, how many times the trained length is asked for").at_least(1).limit_to(1e6);
  fields.add("alpha", alpha_, "pairs that turn less often within the trained length are interpolated").at_least(0).limit_to(1e6);
  fields.add("beta", beta_, "pairs that turn more often are left alone").above(0).limit_to(1e6);
  describe_original(fields);
}

std::vector<Complaint> Yarn::complaints(const Turning&, bool) const {
  if (beta_ > alpha_) return {};
  return {{"beta", fmt::format("expected more than alpha {}, got {}", alpha_, beta_)}};
}

std::vector<double> Yarn::frequencies(const Turning& turning, Index) const {
  std::vector<double> result = positional::frequencies(turning.base, turning.width);
  for (double& frequency : result) {
    const double turns = static_cast<double>(original(turning)) * frequency / (2 * std::numbers::pi);
    const double gamma = std::clamp((turns - alpha_) / (beta_ - alpha_), 0.0, 1.0);
    frequency = (1 - gamma) * frequency / factor_ + gamma * frequency;
  }
  return result;
}

double Yarn::magnitude() const { return 0.1 * std::log(factor_) + 1; }

}  // namespace ropewalk::positional
