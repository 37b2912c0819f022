#include "experiments/run/environment.hpp"

#include <fmt/core.h>

#include <ctime>
#include <fstream>
#include <thread>

#include "framework/kernels/gemm.hpp"
#include "framework/kernels/kernels.hpp"

namespace ropewalk {
namespace {

std::string processor_name() {
  std::ifstream information("/proc/cpuinfo");
  for (std::string line; std::getline(information, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string software_description() {
  return fmt::format("ropewalk {}, {}, compiler {}", ROPEWALK_VERSION, kernels::gemm_library(), __VERSION__);
}

std::string arithmetic_description() {
  return fmt::format("{}, {}, {}", software_description(), kernels::instruction_sets().back(), kernels::gemm_instruction_set());
}

std::string machine_description() {
  return fmt::format("{}, {} cores, {}", processor_name(), std::thread::hardware_concurrency(),
                     kernels::instruction_sets().back());
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace ropewalk
