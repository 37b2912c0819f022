// SIGINT and SIGTERM as a wish to stop: whoever loops asks, finishes what it is at, and saves.
#pragma once

namespace ropewalk {

/// From here on a first signal asks for a stop; a second one of the same kind ends the program at once.
void catch_interrupts();

/// True once a stop was asked for.
bool interrupted();

}  // namespace ropewalk
