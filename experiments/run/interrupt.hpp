// SIGINT, SIGTERM and SIGUSR1 as a wish to stop: whoever loops asks, finishes what it is at, and saves. SIGUSR1 is what
// schedulers send shortly before a job's time limit.
#pragma once

namespace ropewalk {

/// From here on a first signal asks for a stop, and a second one ends the program at once. Called once, before any other thread
/// is started: threads inherit that these signals are blocked.
void catch_interrupts();

/// From here on the same signals do nothing: for a process that another one tells when to stop. Called like `catch_interrupts`.
void ignore_interrupts();

/// True once a stop was asked for.
bool interrupted();

}  // namespace ropewalk
