// What paired numbers of two sides say about a comparison.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/comparison.hpp"
#include "experiments/report/extrapolation.hpp"
#include "experiments/report/statistics.hpp"

namespace ropewalk {

enum class Verdict { reproduced, not_reproduced, undecided };

/// "reproduced", "not reproduced", "undecided".
std::string to_string(Verdict verdict);

/// Fewer pairs decide nothing: two agree by chance in every second case.
inline constexpr std::size_t kFewestPairs = 3;

/// One side of a comparison in one run, or why there is no number.
struct Observation {
  std::optional<Measured> value = {};
  std::string missing = {};                 ///< "diverged", "no perplexity at 96"; empty if there is a value
  std::string run = {};                     ///< of which that is said
  std::optional<std::int64_t> scored = {};  ///< on how many tokens; none where that says nothing
};

/// Both sides, of runs that were paired.
struct ObservedPair {
  Observation left, right;  ///< the factor of the comparison is in them
};

struct Finding {
  Verdict verdict = Verdict::undecided;
  bool lacks_numbers = false;                    ///< runs are missing, or too few, or have no such number
  bool other_text = false;                       ///< a side was scored on clearly more tokens than the other
  std::string why = {};                          ///< why it is undecided; else empty
  std::size_t pairs = 0;                         ///< that have both sides
  std::optional<double> left = {}, right = {};   ///< means over those
  std::optional<double> difference = {};         ///< mean of left - right
  std::optional<Interval> interval = {};         ///< of that; none of fewer than two
  bool left_bound = false, right_bound = false;  ///< a number of that side is a bound: the evaluated lengths ended before
};

/// Reproduced if the whole 95 % interval of the paired difference is on the side that the comparison asks for, not reproduced if
/// it is all on the other one; a difference of exactly 0 fulfils <= and >= and contradicts < and >. Undecided if it is on both,
/// if a pair lacks a number, as of a run that diverged, or if there are fewer than `kFewestPairs`. Numbers that are bounds decide
/// what they can: "at least 960" is more than 20, and not known to be less than 2000.
Finding judge(const Comparison& comparison, const std::vector<ObservedPair>& pairs, Bootstrap& bootstrap);

/// Of several that all have to hold.
Verdict all_of(const std::vector<Verdict>& verdicts);

}  // namespace ropewalk
