#include "experiments/run/interrupt.hpp"

#include <pthread.h>

#include <atomic>
#include <csignal>
#include <thread>

namespace ropewalk {
namespace {

std::atomic<bool> asked{false};

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGXCPU);
  struct sigaction closed_terminal {};
  sigaction(SIGHUP, nullptr, &closed_terminal);
  if (closed_terminal.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);  // unless nohup has asked to live on
  return set;
}

/// Waits for the first signal, then for the second, which is left to end the program as if nobody had caught it.
void wait_for_signals() {
  const sigset_t set = stop_signals();
  int signal = 0;
  sigwait(&set, &signal);
  asked = true;
  sigwait(&set, &signal);
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  std::raise(signal);
}

}  // namespace

// A handler would run on the stack of whichever thread is interrupted, and generated matrix kernels use the stack pointer as one
// more register: the signal's frame would land in their data. So every thread blocks the signals and one waits for them.
void catch_interrupts() {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread(wait_for_signals).detach();
}

void ignore_interrupts() {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

bool interrupted() { return asked; }

}  // namespace ropewalk
