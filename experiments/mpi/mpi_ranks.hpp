// The processes that mpirun started, as ranks. A build without MPI has the same functions and refuses to be one of several.
#pragma once

#include <memory>

#include "experiments/run/ranks.hpp"

namespace ropewalk {

/// What Open MPI's mpirun says in the environment, without MPI being started: rank 0 of 1 if the program was not started by it.
struct Place {
  int rank = 0, count = 1;
};
Place launched_place();

/// Waits for the other ranks, which must all call this, and starts MPI; it is left again when the object goes. Null if there are
/// no others: a program by itself does not start MPI. Called before any other thread is started, with signals blocked that are to
/// be caught: MPI has threads of its own. Throws `UsageError` where the build has no MPI.
std::unique_ptr<Ranks> join_ranks();

}  // namespace ropewalk
