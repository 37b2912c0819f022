#include "framework/core/parallel.hpp"

#include <utility>

namespace ropewalk {
namespace {

thread_local const ParallelScope::Runner* current = nullptr;

}  // namespace

void parallel(Index count, const std::function<void(Index)>& piece) {
  if (current) return (*current)(count, piece);
  for (Index i = 0; i < count; ++i) piece(i);
}

ParallelScope::ParallelScope(Runner runner) : runner_(std::move(runner)), previous_(std::exchange(current, &runner_)) {}

ParallelScope::~ParallelScope() { current = previous_; }

}  // namespace ropewalk
