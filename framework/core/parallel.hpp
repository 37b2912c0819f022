// How an operation that is worth it shares its work with other threads, without knowing whose they are.
#pragma once

#include <functional>

#include "framework/core/shape.hpp"

namespace ropewalk {

/// Calls piece(0 … count − 1), each once, and returns when all are done: on the threads that the calling thread's scope provides,
/// or in order on the calling thread if it has none. What a piece computes must not depend on the thread it runs on.
void parallel(Index count, const std::function<void(Index)>& piece);

/// While it lives, `parallel` on this thread uses `runner`.
class ParallelScope {
 public:
  using Runner = std::function<void(Index count, const std::function<void(Index)>& piece)>;

  explicit ParallelScope(Runner runner);
  ~ParallelScope();
  ParallelScope(const ParallelScope&) = delete;
  ParallelScope& operator=(const ParallelScope&) = delete;

 private:
  Runner runner_;
  const Runner* previous_;
};

}  // namespace ropewalk
