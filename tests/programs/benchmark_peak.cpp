// How many f32 operations a core can do at most: `benchmark_peak --seconds 0.2` prints `instruction_set=… flops_per_second=…`,
// that of fused multiply-adds on the processor's widest vectors (where it has none: of multiplications and additions in turn).
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <string>

#include "tests/programs/benchmark_timing.hpp"

namespace ropewalk {
namespace {

constexpr std::int64_t rounds = 100'000;
/// Sums that do not wait for each other: more than the latency of the units times their number, and few enough for the registers.
constexpr int chains = 12;

volatile float factor = 0.999f, summand = 0.001f;  // volatile: nothing can be worked out before the program runs
volatile float sink;

/// A function for one instruction set. `sums * a + b` is one instruction where the set has it: tests/CMakeLists.txt allows the
/// contraction. A macro, since a template would be lowered to narrow vectors before it is inlined.
#define ROPEWALK_PEAK(name, target, lanes)                                                 \
  target void name() {                                                                     \
    typedef float Vector __attribute__((vector_size(lanes * sizeof(float))));              \
    const Vector a = factor - Vector{}, b = summand - Vector{};                            \
    Vector sums[chains];                                                                   \
    for (int i = 0; i < chains; ++i) sums[i] = a + static_cast<float>(i);                  \
    for (std::int64_t round = 0; round < rounds; ++round) {                                \
      _Pragma("GCC unroll 12") for (int i = 0; i < chains; ++i) sums[i] = sums[i] * a + b; \
    }                                                                                      \
    for (int i = 1; i < chains; ++i) sums[0] += sums[i];                                   \
    for (int lane = 0; lane < lanes; ++lane) sink = sink + sums[0][lane];                  \
  }

ROPEWALK_PEAK(multiply_add_4, , 4)
#if defined(__x86_64__)
ROPEWALK_PEAK(multiply_add_8, __attribute__((target("avx2,fma"))), 8)
ROPEWALK_PEAK(multiply_add_16, __attribute__((target("avx512f"))), 16)
#endif

struct Peak {
  std::string instruction_set;
  int lanes;
  void (*run)();
};

Peak widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {"avx512", 16, multiply_add_16};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {"avx2", 8, multiply_add_8};
#endif
  return {"generic", 4, multiply_add_4};
}

void measure(double seconds) {
  const Peak peak = widest();
  const double flops = 2.0 * static_cast<double>(rounds) * chains * peak.lanes;
  fmt::print("instruction_set={} flops_per_second={:.5g}\n", peak.instruction_set, flops / fastest_call(seconds, peak.run));
}

}  // namespace
}  // namespace ropewalk

int main(int argc, char** argv) {
  CLI::App app("Peak of one core in f32 multiply-adds");
  double seconds = 0.2;
  app.add_option("--seconds", seconds)->check(ropewalk::check_seconds)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  ropewalk::measure(seconds);
}
