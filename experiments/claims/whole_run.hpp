// What is measured of a run as a whole, at no length in particular.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/measure.hpp"

namespace ropewalk {

/// effective_length, tokens_gained, area, steepest_rise, tokens_per_second (of training), peak_bytes.
const std::vector<std::string>& whole_run_metrics();

bool is_whole_run_metric(const std::string& metric);

/// Whether a metric, of any kind, is made of losses at some length, and so depends on the protocol.
bool is_of_lengths(const std::string& metric);

/// "tokens", "nats per doubling of the length"; of a metric that is a number of its own kind, its name.
std::string unit_of(const std::string& metric);

/// The measure of that name, which has to be one. The question has to outlive it.
Measure whole_run_measure(const std::string& metric, const Question& question);

}  // namespace ropewalk
