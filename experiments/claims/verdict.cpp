#include "experiments/claims/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

/// The differences of whole pairs, and in which directions they may be larger than they look.
struct Differences {
  std::vector<double> left, right, values;
  bool may_be_more = false;  ///< a left side is at least its number
  bool may_be_less = false;  ///< a right side is
  std::set<std::string> missing;
};

std::string why_unusable(const Observation& side) {
  if (!side.value) return side.missing;
  return std::isfinite(side.value->value) ? "" : "a number that is not finite";
}

Differences differences_of(const std::vector<ObservedPair>& pairs) {
  Differences result;
  for (const auto& [left, right] : pairs) {
    const std::string why_left = why_unusable(left), why_right = why_unusable(right);
    for (const std::string& why : {why_left, why_right}) {
      if (!why.empty()) result.missing.insert(why);
    }
    if (!why_left.empty() || !why_right.empty()) continue;
    result.left.push_back(left.value->value);
    result.right.push_back(right.value->value);
    result.values.push_back(left.value->value - right.value->value);
    result.may_be_more |= left.value->at_least;
    result.may_be_less |= right.value->at_least;
  }
  return result;
}

/// The verdict on `difference <= 0`, or `< 0` if strict.
Verdict on_one_side(const Interval& interval, bool strict) {
  if (strict ? interval.high < 0 : interval.high <= 0) return Verdict::reproduced;
  if (strict ? interval.low >= 0 : interval.low > 0) return Verdict::not_reproduced;
  return Verdict::undecided;
}

std::string why_straddling(const Interval& interval) {
  return fmt::format("the interval [{:+.3g}, {:+.3g}] is on both sides", interval.low, interval.high);
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced: return "reproduced";
    case Verdict::not_reproduced: return "not reproduced";
    case Verdict::undecided: break;
  }
  return "undecided";
}

Finding judge(const Comparison& comparison, const std::vector<ObservedPair>& pairs, Bootstrap& bootstrap) {
  const Differences found = differences_of(pairs);
  Finding finding;
  finding.pairs = found.values.size();
  finding.left_bound = found.may_be_more;
  finding.right_bound = found.may_be_less;
  if (finding.pairs > 0) {
    finding.left = mean(found.left);
    finding.right = mean(found.right);
    finding.difference = mean(found.values);
  }
  finding.interval = bootstrap.interval(found.values);
  if (!found.missing.empty()) {
    finding.why = join({found.missing.begin(), found.missing.end()}, "; ");
    return finding;
  }
  if (finding.pairs < kFewestPairs) {
    finding.why = fmt::format("{} {}, expected {} or more", finding.pairs, finding.pairs == 1 ? "pair" : "pairs", kFewestPairs);
    return finding;
  }
  // Turned so that the comparison asks for a difference below 0.
  const Interval turned = comparison.upwards() ? *finding.interval : Interval{-finding.interval->high, -finding.interval->low};
  const bool may_be_above = comparison.upwards() ? found.may_be_more : found.may_be_less;
  const bool may_be_below = comparison.upwards() ? found.may_be_less : found.may_be_more;
  const Verdict verdict = on_one_side(turned, comparison.strict());
  if (verdict == Verdict::undecided) {
    finding.why = why_straddling(*finding.interval);
  } else if ((verdict == Verdict::reproduced && may_be_above) || (verdict == Verdict::not_reproduced && may_be_below)) {
    finding.why = "the evaluated lengths end before";
  } else {
    finding.verdict = verdict;
  }
  return finding;
}

Verdict all_of(const std::vector<Verdict>& verdicts) {
  const auto any = [&](Verdict verdict) { return std::ranges::count(verdicts, verdict) > 0; };
  if (any(Verdict::not_reproduced)) return Verdict::not_reproduced;
  return any(Verdict::undecided) || verdicts.empty() ? Verdict::undecided : Verdict::reproduced;
}

}  // namespace ropewalk
