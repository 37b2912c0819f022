#include "experiments/launch/slurm.hpp"

#include <algorithm>
#include <regex>
#include <vector>

#include "experiments/errors.hpp"
#include "experiments/launch/program.hpp"

namespace ropewalk::slurm {
namespace {

constexpr const char* advice = "is this machine part of a cluster with Slurm? --launcher local runs here";

/// What the client program prints.
std::string ask(const std::vector<std::string>& command) {
  ProgramResult result;
  try {
    result = run_program(command);
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; {}", error.what(), advice));
  }
  if (result.exit_code == 0) return result.output;
  throw FileError(fmt::format("{}{} ended with exit code {}; see the settings of `launch`, and sinfo for what the cluster has",
                              result.errors, command[0], result.exit_code));
}

}  // namespace

std::size_t largest_array_index() {
  const std::string config = ask({"scontrol", "show", "config"});
  std::smatch found;
  if (!std::regex_search(config, found, std::regex(R"(MaxArraySize\s*=\s*(\d+))"))) {
    throw FileError(fmt::format("scontrol show config: expected a line MaxArraySize, got none; {}", advice));
  }
  const std::size_t size = std::stoul(found[1]);
  if (size < 2) throw FileError("this cluster takes no job arrays: its MaxArraySize is " + found[1].str());
  return size - 1;
}

std::string submit(const std::filesystem::path& script) {
  const std::string answer = ask({"sbatch", "--parsable", script.string()});
  const std::string job = answer.substr(0, answer.find_first_of(";\n"));  // a federation adds the cluster's name
  if (job.empty())
    throw FileError("sbatch --parsable: expected the number of a job, got nothing; look at squeue, and at what sbatch is");
  return job;
}

}  // namespace ropewalk::slurm
