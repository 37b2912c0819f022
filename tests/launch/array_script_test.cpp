#include "experiments/launch/array_script.hpp"

#include <gtest/gtest.h>

#include "experiments/launch/program.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;

ArrayJob job() {
  return {.name = "toy",
          .settings = {},
          .division = {12, {1, 2, 3, 7}},
          .program = "/bin/echo",
          .working_directory = "/tmp",
          .directory = "/scratch/results/toy/launch/now",
          .out = "/scratch/results",
          .run_options = {}};
}

/// The script up to its first line of shell: the only part sbatch reads.
std::string directives(const ArrayJob& job) {
  const std::string script = array_script(job);
  return script.substr(0, script.find("\n\n") + 1);
}

TEST(ArrayScript, AsksForWhatTheSettingsSay) {
  EXPECT_EQ(directives(job()),
            "#!/bin/bash\n"
            "#SBATCH --job-name=\"toy\"\n"
            "#SBATCH --array=1-3,7\n"
            "#SBATCH --output=\"/scratch/results/toy/launch/now/%a.log\"\n"
            "#SBATCH --open-mode=append\n"
            "#SBATCH --requeue\n"
            "#SBATCH --signal=B:USR1@120\n"
            "#SBATCH --ntasks=1\n"
            "#SBATCH --cpus-per-task=1\n");
  ArrayJob full = job();
  full.settings.at_once = 2;
  full.settings.time = 90;
  full.settings.lead = 45;
  full.settings.memory = 2048;
  full.settings.cores = 4;
  full.settings.partition = "long";
  full.settings.options = {"--account=lab", "--comment=\"two words\""};
  EXPECT_EQ(directives(full),
            "#!/bin/bash\n"
            "#SBATCH --job-name=\"toy\"\n"
            "#SBATCH --array=1-3,7%2\n"
            "#SBATCH --output=\"/scratch/results/toy/launch/now/%a.log\"\n"
            "#SBATCH --open-mode=append\n"
            "#SBATCH --requeue\n"
            "#SBATCH --signal=B:USR1@45\n"
            "#SBATCH --ntasks=1\n"
            "#SBATCH --cpus-per-task=4\n"
            "#SBATCH --time=90\n"
            "#SBATCH --mem=2048M\n"
            "#SBATCH --partition=\"long\"\n"
            "#SBATCH --account=lab\n"
            "#SBATCH --comment=\"two words\"\n");
}

TEST(ArrayScript, KeepsPathsWhatTheyAre) {
  ArrayJob odd = job();
  odd.directory = R"(/a "b"/50%j/c\d)";
  EXPECT_PRED_FORMAT2(IsSubstring, R"(#SBATCH --output="/a \"b\"/50%%j/c\\d/%a.log")", directives(odd));
}

// What Slurm does, with `echo` in the place of ropewalk.
TEST(ArrayScript, RunsItsShareFromTheSameDirectoryAfterTheSetup) {
  ArrayJob odd = job();
  odd.directory = "/it's $HOME";
  odd.settings.setup = {"export FROM=setup", "echo \"$FROM in $PWD\""};
  odd.run_options = {"--save-every=5", "a 'b'"};
  const ProgramResult result = run_program(
      {"env", "SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_JOB_ID=40", "SLURM_CPUS_PER_TASK=6", "bash", "-c", array_script(odd)});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output,
            "setup in /tmp\n"
            "run /it's $HOME/config.yaml --out /scratch/results --share 3/12 --threads 6 --save-every=5 a 'b'\n");
}

/// The script with a shell in the place of ropewalk that runs `program`, and with a scontrol that says what it is told.
ProgramResult run_with(const std::string& program, const std::string& restarts = "") {
  ArrayJob shell = job();
  shell.program = "/bin/sh";
  shell.settings.restarts = 2;
  shell.settings.setup = {"scontrol() { echo \"scontrol $*\"; }", "script=$$", "export script", "run() { :; }", "set -eu"};
  std::string script = array_script(shell);
  const std::size_t begin = script.find("'/bin/sh' run"), end = script.find(" &\n", begin);
  script.replace(begin, end - begin, "'/bin/sh' -c '" + program + "'");
  std::vector<std::string> command = {"env", "SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_JOB_ID=40", "SLURM_CPUS_PER_TASK=1"};
  if (!restarts.empty()) command.push_back("SLURM_RESTART_COUNT=" + restarts);
  command.insert(command.end(), {"bash", "-c", script});
  return run_program(command);
}

/// Is sent the signal through the script, as by Slurm, and ends some time after it with exit code 130.
constexpr const char* saves_when_told =
    "trap \"echo saving; sleep 0.2; exit 130\" USR1; kill -USR1 $script; while :; do sleep 0.05; done";

TEST(ArrayScript, EndsAsTheProgramDoes) {
  for (const int code : {0, 1, 3, 130}) {
    const ProgramResult result = run_with("exit " + std::to_string(code));
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.output, "") << "it does not queue again by itself";
  }
}

TEST(ArrayScript, QueuesItsOwnElementAgainAtTheTimeLimit) {
  const ProgramResult result = run_with(saves_when_told, "1");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.output, "saving\ntime limit: saved, queueing again\nscontrol requeue 40_3\n");
}

TEST(ArrayScript, QueuesAgainNoMoreThanAllowed) {
  const ProgramResult result = run_with(saves_when_told, "2");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.output, "saving\ntime limit: saved; restarted 2 times (launch.restarts), launch again to go on\n");
}

TEST(ArrayScript, DoesNotQueueAgainWhatEndedBeforeTheLimit) {
  const ProgramResult result = run_with("trap \"exit 0\" USR1; kill -USR1 $script; while :; do sleep 0.05; done");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, "");
}

TEST(ArrayScript, OutlivesTheProgramWhenCancelled) {
  const ProgramResult result =
      run_with("trap \"sleep 0.2; echo saved; exit 130\" TERM; kill -TERM $script $$; while :; do sleep 0.05; done");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.output, "saved\n");
}

}  // namespace
}  // namespace ropewalk
