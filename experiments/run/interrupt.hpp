// SIGINT, SIGTERM and SIGUSR1 as a wish to stop: whoever loops asks, finishes what it is at, and saves. SIGUSR1 is what
// schedulers send shortly before a job's time limit.
#pragma once

namespace ropewalk {

/// From here on a first signal asks for a stop, and a second one ends the program at once. Called once, before any other thread
/// is started: threads inherit that these signals are blocked.
void catch_interrupts();

/// True once a stop was asked for.
bool interrupted();

}  // namespace ropewalk
