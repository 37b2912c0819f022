// Threads that share work: any of them takes the next piece of any job that is open.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "framework/core/memory.hpp"
#include "framework/core/shape.hpp"

namespace ropewalk {

/// A crew of threads for any number of runs side by side. A run's own thread always works on its own pieces, and whoever has
/// nothing to do helps; so two runs on two cores do not disturb each other, and the last run of a sweep has both.
class Crew {
 public:
  /// `helpers` threads are started; the threads that call `run` come on top.
  explicit Crew(int helpers);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Calls `piece(0 … count − 1)`, each once, on whichever thread is free, and returns when all are done. What helpers allocate
  /// is charged to `meter`; the caller charges its own thread. The first exception is thrown again here, after the others have
  /// ended.
  void run(Index count, const std::shared_ptr<Meter>& meter, const std::function<void(Index)>& piece);

  /// The calling thread helps until `done()` is true, which is asked whenever work or `wake` comes, and every `interval` if one
  /// is given.
  void help(const std::function<bool()>& done, std::optional<std::chrono::milliseconds> interval = {});
  void wake();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ropewalk
