// The metrics a report can be about.
#pragma once

#include <string>
#include <vector>

#include "experiments/record/run_record.hpp"

namespace ropewalk {

struct Metric {
  std::string name;
  std::string help;  ///< one line
  int decimals;      ///< shown in tables
  bool more_is_better;
  /// Values [S, P, E] of the metric, null if the run does not measure it.
  const std::vector<double>* (*values)(const EvaluateSeries&);
};

const std::vector<Metric>& metrics();

/// Throws `UsageError`, listing the choices.
const Metric& find_metric(const std::string& name);

}  // namespace ropewalk
