// Time, as the benchmark programs take it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace ropewalk {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// For an option: CLI11's own validators let NaN through.
inline std::string check_seconds(const std::string& text) {
  const double seconds = std::strtod(text.c_str(), nullptr);
  return seconds > 0 && std::isfinite(seconds) ? "" : "expected a positive number of seconds, got " + text;
}

/// Calls `body` for about `seconds`, in bursts of some milliseconds, and returns the seconds of one call in the fastest burst:
/// the one that other programs disturbed least.
template <class Body>
double fastest_call(double seconds, Body body) {
  constexpr double burst_seconds = 4e-3;
  body();  // the first call makes what the others reuse
  const Stopwatch trial;
  body();
  const auto calls = static_cast<std::int64_t>(burst_seconds / std::max(trial.seconds(), 1e-9)) + 1;
  double fastest = trial.seconds();
  const Stopwatch total;
  do {
    const Stopwatch burst;
    for (std::int64_t call = 0; call < calls; ++call) body();
    fastest = std::min(fastest, burst.seconds() / static_cast<double>(calls));
  } while (total.seconds() < seconds);
  return fastest;
}

}  // namespace ropewalk
