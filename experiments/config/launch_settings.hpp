// How a sweep is handed to a scheduler: the `launch` section of a config. It belongs to the experiment and changes no run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

struct LaunchSettings {
  std::int64_t elements = 0;         ///< of the job array, at most; 0: one a run
  std::int64_t at_once = 0;          ///< elements that run at the same time; 0: no limit
  std::int64_t time = 0;             ///< minutes an element may take; 0: what the partition allows
  std::int64_t lead = 120;           ///< seconds before the limit at which an element saves and goes back to the queue
  std::int64_t restarts = 20;        ///< of one element
  std::int64_t memory = 0;           ///< MiB an element; 0: what the partition gives
  std::int64_t cores = 1;            ///< an element
  std::string partition;             ///< empty: the cluster's default
  std::vector<std::string> options;  ///< further ones of sbatch
  std::vector<std::string> setup;    ///< shell lines

  void describe(Fields& fields);
  /// Complains of combinations that cannot work. `tree`: the config that has the section.
  void check(const Tree& tree, Complaints& complaints) const;
};

}  // namespace ropewalk::config
