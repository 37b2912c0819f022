// Chooses among the compilations of the kernels by what this processor can run.
#include "framework/core/error.hpp"
#include "framework/kernels/kernels.hpp"

namespace ropewalk::kernels {

namespace generic {
template <class T>
const Table<T>& instruction_set_table();
}  // namespace generic

#ifdef ROPEWALK_X86
namespace avx2 {
template <class T>
const Table<T>& instruction_set_table();
}  // namespace avx2
namespace avx512 {
template <class T>
const Table<T>& instruction_set_table();
}  // namespace avx512
#endif

namespace {

#ifdef ROPEWALK_X86
// x86-64-v3 and -v4 are wider than their vectors: the compiler may use any instruction of the level.
bool runs_v3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}

bool runs_v4() {
  return runs_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

template <class T>
const Table<T>& compiled_table(const std::string& instruction_set) {
#ifdef ROPEWALK_X86
  if (instruction_set == "avx512") return avx512::instruction_set_table<T>();
  if (instruction_set == "avx2") return avx2::instruction_set_table<T>();
#endif
  check(instruction_set == "generic", "kernels: no instruction set '{}' in this build", instruction_set);
  return generic::instruction_set_table<T>();
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names{"generic"};
#ifdef ROPEWALK_X86
  if (runs_v3()) names.push_back("avx2");
  if (runs_v4()) names.push_back("avx512");
#endif
  return names;
}

template <class T>
const Table<T>& table() {
  static const Table<T>* const widest = &compiled_table<T>(instruction_sets().back());
  return *widest;
}

template <class T>
const Table<T>& table(const std::string& instruction_set) {
  for (const std::string& name : instruction_sets()) {
    if (name == instruction_set) return compiled_table<T>(name);
  }
  throw Error(fmt::format("kernels: expected an instruction set that this processor runs, got '{}'; the widest here is '{}'",
                          instruction_set, instruction_sets().back()));
}

template const Table<float>& table();
template const Table<double>& table();
template const Table<float>& table(const std::string&);
template const Table<double>& table(const std::string&);

}  // namespace ropewalk::kernels
