#include "experiments/mpi/mpi_ranks.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <mutex>
#include <thread>

namespace ropewalk {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a wait keeps the core, in case the message is about to come, and how long it then sleeps between looks: MPI itself
/// would never let go of the core, which other ranks or threads may need.
constexpr auto eager = std::chrono::microseconds(500), nap = std::chrono::microseconds(20);

int length_of(std::size_t bytes) {
  check(bytes <= INT_MAX, "mpi: expected a message of at most {} bytes, got {}", INT_MAX, bytes);
  return static_cast<int>(bytes);
}

/// Cores of this machine that its ranks may run on, shared out evenly.
int share_of_cores() {
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int neighbours = 1;
  MPI_Comm_size(machine, &neighbours);
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  MPI_Allreduce(MPI_IN_PLACE, &allowed, sizeof allowed, MPI_BYTE, MPI_BOR, machine);
  MPI_Comm_free(&machine);
  return std::max(1, CPU_COUNT(&allowed) / neighbours);
}

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    if (provided < MPI_THREAD_SERIALIZED) abort("mpi: this library cannot be called from more than one thread");
    cores_ = share_of_cores();
  }
  ~MpiRanks() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int cores() const override { return cores_; }

  void send(int to, const void* data, std::size_t bytes) override {
    wait_for([&](MPI_Request* request) { MPI_Isend(data, length_of(bytes), MPI_BYTE, to, 0, MPI_COMM_WORLD, request); });
  }

  void receive(int from, void* data, std::size_t bytes) override {
    wait_for([&](MPI_Request* request) { MPI_Irecv(data, length_of(bytes), MPI_BYTE, from, 0, MPI_COMM_WORLD, request); });
  }

  bool pending(int from) override {
    const std::lock_guard lock(mutex_);
    int found = 0;
    MPI_Iprobe(from, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    return found != 0;
  }

  void broadcast(void* data, std::size_t bytes) override {
    wait_for([&](MPI_Request* request) { MPI_Ibcast(data, length_of(bytes), MPI_BYTE, 0, MPI_COMM_WORLD, request); });
  }

  [[noreturn]] void abort(const std::string& why) override {
    fmt::print(stderr, "rank {}: {}\n", rank_, why);
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
  }

 private:
  template <class Start>
  void wait_for(Start start) {
    MPI_Request request;
    {
      const std::lock_guard lock(mutex_);
      start(&request);
    }
    const auto began = Clock::now();
    while (!is_complete(request)) {
      if (Clock::now() - began < eager) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(nap);
      }
    }
  }

  bool is_complete(MPI_Request& request) {
    const std::lock_guard lock(mutex_);
    int complete = 0;
    MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
    return complete != 0;
  }

  std::mutex mutex_;  ///< MPI takes one call at a time
  int rank_ = 0, count_ = 1, cores_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> join_ranks() { return launched_place().count == 1 ? nullptr : std::make_unique<MpiRanks>(); }

}  // namespace ropewalk
