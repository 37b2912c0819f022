#include <cstdlib>

#include "experiments/mpi/mpi_ranks.hpp"

namespace ropewalk {
namespace {

int number_in(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

}  // namespace

Place launched_place() { return {number_in("OMPI_COMM_WORLD_RANK", 0), number_in("OMPI_COMM_WORLD_SIZE", 1)}; }

}  // namespace ropewalk
