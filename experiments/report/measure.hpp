// What tables say of a run, a number at a time.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/report/curve.hpp"
#include "experiments/report/extrapolation.hpp"
#include "experiments/report/groups.hpp"

namespace ropewalk {

/// What a report is about.
struct Question {
  const Metric& metric;
  Evaluation evaluation;
  std::string counted = "seeds";  ///< what there are several of in a group
};

/// None if the run has no such number.
using Measure = std::function<std::optional<Measured>(const ReportedRun&)>;

Measure value_measure(const Question& question, std::int64_t length);
/// The value at a length over that at the trained length of the same run.
Measure ratio_measure(const Question& question, std::int64_t length);
/// See extrapolation.hpp for these.
Measure effective_length_measure(const Question& question);
Measure tokens_gained_measure(const Question& question);
Measure area_measure(const Question& question);
Measure steepest_rise_measure(const Question& question);

/// Of the runs of the group that count and have the number.
std::vector<Measured> measured(const Group& group, const Measure& measure, const Question& question);

/// Trained lengths of the runs of a group, tokens; several only if it is of some settings alone.
std::set<std::int64_t> trained_lengths(const Group& group, const Question& question);

/// The mean of these; NaN of none.
double mean(const std::vector<Measured>& values);

}  // namespace ropewalk
