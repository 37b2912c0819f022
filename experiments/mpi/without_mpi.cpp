#include "experiments/mpi/mpi_ranks.hpp"

namespace ropewalk {

std::unique_ptr<Ranks> join_ranks() {
  const int count = launched_place().count;
  if (count == 1) return nullptr;
  throw UsageError(
      fmt::format("mpirun started {} ranks, but this build has no MPI; install libopenmpi-dev and build again, with "
                  "-DROPEWALK_MPI=ON",
                  count));
}

}  // namespace ropewalk
