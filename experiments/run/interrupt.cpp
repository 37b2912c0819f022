#include "experiments/run/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace ropewalk {
namespace {

std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void ask_to_stop(int signal) {
  asked = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
}

bool interrupted() { return asked; }

}  // namespace ropewalk
