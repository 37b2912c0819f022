#include "experiments/command/status.hpp"

#include <fmt/core.h>

#include "experiments/command/standard_output.hpp"

namespace ropewalk {

int show_status(const StatusArguments& arguments) {
  const std::vector<ExperimentStatus> experiments = read_status(arguments.directory, arguments.filter);
  write_out(arguments.json ? status_json(experiments) : status_text(experiments, arguments.all));
  int code = 0;
  for (const ExperimentStatus& experiment : experiments) {
    if (experiment.is_damaged()) code = 3;
  }
  return code;
}

}  // namespace ropewalk
