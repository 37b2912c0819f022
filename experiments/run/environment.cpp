#include "experiments/run/environment.hpp"

#include <fmt/core.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

#include "experiments/record/hdf5.hpp"
#include "experiments/run/build_facts.hpp"
#include "framework/kernels/gemm.hpp"
#include "framework/kernels/kernels.hpp"

namespace ropewalk {
namespace {

/// What follows the first occurrence of `key` at the beginning of a line, `otherwise` if there is none.
std::string value_in(const char* file, const std::string& key, const std::string& otherwise) {
  std::ifstream information(file);
  for (std::string line; std::getline(information, line);) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return otherwise;
}

std::string processor_name() {
  const std::string name = value_in("/proc/cpuinfo", "model name", "");
  return name.empty() ? "unknown processor" : name.substr(name.find(':') + 2);
}

std::string distribution() {
  std::string name = value_in("/etc/os-release", "PRETTY_NAME=", "unknown distribution");
  std::erase(name, '"');
  return name;
}

/// The variables of Slurm and OpenMPI that say which job, element and rank this process is.
std::string launch_description() {
  std::string text;
  for (const char* name : {"SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_RESTART_COUNT",
                           "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}) {
    if (const char* value = std::getenv(name)) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text;
}

}  // namespace

std::string software_description() {
  return fmt::format("ropewalk {}, {}, {}, yaml-cpp {}, compiler {}", ROPEWALK_VERSION, kernels::gemm_library(), hdf5::library(),
                     build_facts::yaml_cpp, __VERSION__);
}

std::string arithmetic_description() { return fmt::format("{}, {}", software_description(), kernels::instruction_sets().back()); }

std::string machine_description() {
  return fmt::format("{}, {} cores, {}", processor_name(), std::thread::hardware_concurrency(),
                     kernels::instruction_sets().back());
}

std::string source_description() { return build_facts::source; }

Environment environment() {
  utsname system{};
  ::uname(&system);
  return {.source = source_description(),
          .build = build_facts::build,
          .system = fmt::format("{} {}, {}, {}", system.sysname, system.release, system.machine, distribution()),
          .launch = launch_description(),
          .host = system.nodename,
          .process = ::getpid()};
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace ropewalk
