// What a config says of the experiment and not of what its runs compute.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/launch_settings.hpp"
#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

/// Settings that change no run: they are in no run's id and in no resolved config, so they may change while runs are under way.
struct Experiment {
  std::vector<std::string> tags;  ///< words to choose runs by
  std::string notes;              ///< for whoever reads the results
  LaunchSettings launch = {};     ///< on a cluster

  void describe(Fields& fields);
};

/// Decodes the experiment's own settings and takes them out of the config: what is left is what its runs compute.
Experiment take_experiment(Tree& config, Complaints& complaints);

/// The names of its settings at the top of a config.
std::vector<std::string> experiment_settings();

}  // namespace ropewalk::config
