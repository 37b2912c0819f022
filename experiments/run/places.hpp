// How the runs of a sweep share the threads of a machine.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk {

struct Places {
  int threads = 1;
  int jobs = 1;  ///< runs side by side, at most `threads`

  /// Threads that work on a run of so many shards while there are `active` of them: whoever has no run of its own helps.
  double threads_of_one(int active, Index shards) const;
};

/// A run as a schedule sees it.
struct Slot {
  double seconds = 0;                 ///< while `jobs` runs are side by side
  std::optional<std::size_t> before;  ///< the one that has to be over first
  Index shards = 1;                   ///< parts that several threads can share
};

/// Seconds from the first to the last of them, begun in their order as soon as a job is free. With fewer runs than jobs, the rest
/// is as much faster as more threads are on it.
double seconds_of_all(const std::vector<Slot>& slots, const Places& places);

}  // namespace ropewalk
