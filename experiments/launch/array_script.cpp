#include "experiments/launch/array_script.hpp"

#include <fmt/core.h>

namespace ropewalk {
namespace {

/// `text` with `with` for every `letter`.
std::string replaced(const std::string& text, char letter, const std::string& with) {
  std::string result;
  for (const char each : text) result += each == letter ? with : std::string(1, each);
  return result;
}

/// One word of a shell, whatever is in it.
std::string shell_word(const std::string& text) { return "'" + replaced(text, '\'', R"('\'')") + "'"; }

/// One value in a line of sbatch options.
std::string sbatch_word(const std::string& text) { return '"' + replaced(replaced(text, '\\', R"(\\)"), '"', R"(\")") + '"'; }

std::string sbatch_lines(const ArrayJob& job) {
  const config::LaunchSettings& settings = job.settings;
  const std::string logs = replaced(job.directory.string(), '%', "%%") + "/%a.log";
  std::vector<std::string> options = {
      "--job-name=" + sbatch_word(job.name),
      "--array=" + array_indices(job.division.shares) + (settings.at_once > 0 ? fmt::format("%{}", settings.at_once) : ""),
      "--output=" + sbatch_word(logs),
      "--open-mode=append",
      "--requeue",
      fmt::format("--signal=B:USR1@{}", settings.lead),
      "--ntasks=1",
      fmt::format("--cpus-per-task={}", settings.cores),
  };
  if (settings.time > 0) options.push_back(fmt::format("--time={}", settings.time));
  if (settings.memory > 0) options.push_back(fmt::format("--mem={}M", settings.memory));
  if (!settings.partition.empty()) options.push_back("--partition=" + sbatch_word(settings.partition));
  options.insert(options.end(), settings.options.begin(), settings.options.end());
  std::string lines;
  for (const std::string& option : options) lines += "#SBATCH " + option + "\n";
  return lines;
}

std::string run_command(const ArrayJob& job) {
  std::string command = fmt::format("{} run {} --out {} --share \"$SLURM_ARRAY_TASK_ID/{}\" --threads \"$SLURM_CPUS_PER_TASK\"",
                                    shell_word(job.program.string()), shell_word((job.directory / "config.yaml").string()),
                                    shell_word(job.out.string()), job.division.count);
  for (const std::string& option : job.run_options) command += " " + shell_word(option);
  return command;
}

/// {0}: command; {1}: launch.restarts.
constexpr const char* body = R"(
# Before the time limit Slurm sends SIGUSR1, to this script alone. The SIGTERM of scancel or of preemption reaches the program
# by itself; this script has to outlive it, since the job ends with its script.
at_limit=no
trap 'at_limit=yes; kill -USR1 "$!"' USR1
trap : TERM
{0} &
program=$!
wait "$program" || true
while kill -0 "$program" 2>/dev/null; do wait "$program" || true; done  # a signal ends a wait before its time
code=0
wait "$program" || code=$?

if [[ $at_limit == yes ]] && ((code > 128)); then
  if ((${{SLURM_RESTART_COUNT:-0}} < {1})); then
    echo "time limit: saved, queueing again"
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"  # the job's own number may be that of the whole array
  else
    echo "time limit: saved; restarted ${{SLURM_RESTART_COUNT:-0}} times (launch.restarts), launch again to go on"
  fi
fi
exit "$code"
)";

}  // namespace

std::string array_script(const ArrayJob& job) {
  std::string script = fmt::format("#!/bin/bash\n{}\ncd {} || exit 3\n", sbatch_lines(job), shell_word(job.working_directory));
  for (const std::string& line : job.settings.setup) script += line + "\n";
  return script + fmt::format(body, run_command(job), job.settings.restarts);
}

}  // namespace ropewalk
