// Who is told how runs are getting on.
#pragma once

#include <optional>
#include <string>

#include "framework/core/shape.hpp"

namespace ropewalk {

/// Where a run is.
struct RunProgress {
  std::string id;
  Index step = 0, steps = 0;
  double loss = 0;                  ///< nats per scored token, of the last step
  double tokens_per_second = 0;     ///< of training, since the program took the run up
  double seconds_left = 0;          ///< of training
  std::optional<double> evaluated;  ///< while evaluating: the share that is done
};

/// Called from the threads of the runs, possibly from several at once.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void planned(std::size_t runs) = 0;                 ///< before any of them begins
  virtual void begun(const std::string& id, Index step) = 0;  ///< step > 0: resumed
  virtual void held(const std::string& id) = 0;               ///< by another process, and looked at again later
  virtual void moved(const RunProgress& progress) = 0;
  /// It was over before, with this status, or does not begin for the reason in `message`.
  virtual void skipped(const std::string& id, const std::string& status, const std::string& message) = 0;
  /// `message`: why a run failed, else empty.
  virtual void ended(const std::string& id, const std::string& status, const std::string& message) = 0;
};

}  // namespace ropewalk
