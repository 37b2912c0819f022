// Processes that work on one run together: how they exchange messages, and how they fail together.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "experiments/errors.hpp"

namespace ropewalk {

/// This process among `count()` alike, one of which, rank 0, leads: it alone decides, touches files and talks to the user. The
/// calls that wait do so for as long as it takes the other side; one thread at a time makes them.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int count() const = 0;
  bool leads() const { return rank() == 0; }
  /// Cores of this machine that are this rank's share.
  virtual int cores() const = 0;

  /// What one rank sends to another arrives in order; the receiver knows how many bytes come.
  virtual void send(int to, const void* data, std::size_t bytes) = 0;
  virtual void receive(int from, void* data, std::size_t bytes) = 0;
  /// Whether something from that rank waits to be received; may be asked on any thread.
  virtual bool pending(int from) = 0;
  /// Called on all ranks: the leader's bytes are in `data` on each of them afterwards.
  virtual void broadcast(void* data, std::size_t bytes) = 0;
  /// Ends all ranks at once, where they could not agree to end: some may be waiting for this one.
  [[noreturn]] virtual void abort(const std::string& why) = 0;
};

/// A process that leads nobody.
Ranks& alone();

/// Thrown by `together` on the ranks that follow: a part of the work has failed, or the leader has no use for it any more.
class Disbanded : public Error {
 public:
  Disbanded() : Error("the leader has called the work off") {}
};

/// All ranks call this, each with its part of a piece of work; a part returns what the leader is to know of it. The leader gets
/// what each rank said [count], the others get nothing. If a part throws, the leader throws it again, its own exception or else
/// one with the rank and the message of the first that failed, and the others throw `Disbanded`. When the leader's own part
/// throws, the others have a message pending at once, and may leave out what they have not begun.
std::vector<std::vector<double>> together(Ranks& ranks, const std::function<std::vector<double>()>& part);

/// The leader's text, on all ranks.
std::string broadcast_text(Ranks& ranks, std::string text);

/// Throws `UsageError` on the leader, `Disbanded` on the others, unless all ranks compute with the same bits, as far as a
/// description of what they compute with tells.
void expect_alike(Ranks& ranks, const std::string& description);

}  // namespace ropewalk
