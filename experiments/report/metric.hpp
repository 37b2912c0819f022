// The metrics a report can be about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/record/run_record.hpp"

namespace ropewalk {

struct Metric {
  std::string name;
  std::string help;  ///< one line
  int decimals;      ///< shown in tables
  /// Values [S, P, E] of the metric, null if the run does not measure it.
  const std::vector<double>* (*values)(const EvaluateSeries&);
};

const std::vector<Metric>& metrics();

/// Throws `UsageError`, listing the choices.
const Metric& find_metric(const std::string& name);

/// Where the last evaluation keeps its value at one protocol and length; none if it does not have one.
std::optional<std::size_t> last_value(const EvaluateSeries& evaluate, const std::string& protocol, std::int64_t length);

}  // namespace ropewalk
