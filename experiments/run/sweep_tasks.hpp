// Which runs a sweep consists of, and how many of them there are at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/run/places.hpp"
#include "experiments/run/sweep.hpp"

namespace ropewalk {

struct SweepTask {
  const config::Plan* plan;
  const config::RunConfig* run;
  std::optional<std::size_t> before = {};  ///< the task of the run that this one starts a stage from
  std::string status = "waiting";          ///< once it is over, how it ended
};

/// The runs that are asked for, each after those that it starts from.
std::vector<SweepTask> tasks_of(const std::vector<config::Plan>& plans, const SweepOptions& options);

/// For so many tasks on the leading rank of `ranks`.
Places places_of(const SweepOptions& options, std::size_t tasks, const Ranks& ranks = alone());

/// Throws if one of them cannot be trained, or, unless it has begun, cannot start: see `expect_trainable` and `expect_start`.
void expect_ready(const std::vector<SweepTask>& tasks, const std::filesystem::path& out);

}  // namespace ropewalk
