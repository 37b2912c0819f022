#include "experiments/claims/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

/// Why there is no number, and of which runs.
using Missing = std::map<std::string, std::set<std::string>>;

/// The differences of whole pairs, and in which directions they may be larger than they look.
struct Differences {
  std::vector<double> left, right, values;
  bool may_be_more = false;  ///< a left side is at least its number
  bool may_be_less = false;  ///< a right side is
  bool other_text = false;
  Missing missing;
};

std::string why_unusable(const Observation& side) {
  if (!side.value) return side.missing;
  return std::isfinite(side.value->value) ? "" : "not finite";
}

/// Lengths that do not divide the held-out tokens leave some out, which is little and happens often.
bool scored_on_other_text(const Observation& left, const Observation& right) {
  constexpr double kAlike = 1.02;
  if (!left.scored || !right.scored) return false;
  const auto [fewer, more] = std::minmax(*left.scored, *right.scored);
  return static_cast<double>(more) > kAlike * static_cast<double>(fewer);
}

Differences differences_of(const std::vector<ObservedPair>& pairs) {
  Differences result;
  for (const auto& [left, right] : pairs) {
    bool whole = true;
    for (const Observation* side : {&left, &right}) {
      const std::string why = why_unusable(*side);
      if (!why.empty()) result.missing[why].insert(side->run);
      whole &= why.empty();
    }
    if (!whole) continue;
    result.left.push_back(left.value->value);
    result.right.push_back(right.value->value);
    result.values.push_back(left.value->value - right.value->value);
    result.may_be_more |= left.value->at_least;
    result.may_be_less |= right.value->at_least;
    result.other_text |= scored_on_other_text(left, right);
  }
  return result;
}

/// "diverged: <run>; missing: 3 runs".
std::string in_words(const Missing& missing) {
  std::vector<std::string> words;
  for (const auto& [why, runs] : missing) {
    const std::string& first = *runs.begin();
    words.push_back(runs.size() > 1 ? fmt::format("{}: {} runs", why, runs.size()) : first.empty() ? why : why + ": " + first);
  }
  return join(words, "; ");
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
  finding.other_text = found.other_text;
  finding.lacks_numbers = !found.missing.empty() || finding.pairs < kFewestPairs;
  finding.left_bound = found.may_be_more;
  finding.right_bound = found.may_be_less;
  if (finding.pairs > 0) {
    finding.left = mean(found.left);
    finding.right = mean(found.right);
    finding.difference = mean(found.values);
  }
  finding.interval = bootstrap.interval(found.values);
  if (!found.missing.empty()) {
    finding.why = in_words(found.missing);
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
