#include "experiments/config/launch_settings.hpp"

#include <fmt/core.h>

#include "experiments/config/cross_check.hpp"

namespace ropewalk::config {

void LaunchSettings::describe(Fields& fields) {
  fields.add("elements", elements, "of the job array, at most; each runs an equal share of the plan; 0: one a run")
      .at_least(0)
      .limit_to(1e6);
  fields.add("at_once", at_once, "elements that run at the same time; 0: as many as there is room for").at_least(0).limit_to(1e6);
  fields.add("time", time, "minutes an element may take before it saves and queues again; 0: the partition's default")
      .at_least(0)
      .limit_to(1e6);
  fields.add("lead", lead, "seconds before the time limit at which an element saves; Slurm may be up to a minute early")
      .at_least(1)
      .at_most(65535);
  fields.add("restarts", restarts, "how often an element queues again at its time limit").at_least(0).limit_to(1e6);
  fields.add("memory", memory, "MiB an element; 0: the partition's default").at_least(0).limit_to(1e9);
  fields.add("cores", cores, "an element; its --threads").at_least(1).at_most(1024);
  fields.add("partition", partition, "where to queue; none: the cluster's default");
  fields.add("options", options,
             "further options of sbatch, as in an #SBATCH line, such as --account=lab; they win over those above");
  fields.add("setup", setup, "shell lines an element begins with, such as module load hdf5");
}

void LaunchSettings::check(const Tree& tree, Complaints& complaints) const {
  if (time > 0 && lead >= 60 * time) {
    complaints.add(place_of(tree, "launch.lead"), "launch.lead",
                   expected(fmt::format("less than the {} s of launch.time", 60 * time), fmt::format("{}", lead)));
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    const bool one_option = options[i].starts_with("-") && options[i].find('\n') == std::string::npos;
    const bool of_the_array = options[i].starts_with("--array") || options[i].starts_with("-a");
    if (one_option && !of_the_array) continue;
    const std::string path = fmt::format("launch.options[{}]", i);
    const std::string what = of_the_array ? "launch.elements and launch.at_once to say how many there are"
                                          : "an option of sbatch, such as --account=lab";
    complaints.add(place_of(tree, path), path, expected(what, options[i]));
  }
}

}  // namespace ropewalk::config
