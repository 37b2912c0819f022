#include "experiments/run/run_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "experiments/errors.hpp"
#include "experiments/text/hash.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

fs::path lock_file(const fs::path& experiment) { return experiment / ".locks"; }

/// The byte of a run: two of a million runs share one with a probability of 1e-7, and would then only wait for each other.
struct flock byte_of(const std::string& run_id) {
  constexpr std::uint64_t offsets = std::uint64_t{1} << 62;  // the end of a lock has to fit in 63 bits
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = static_cast<off_t>(fnv1a(run_id) % offsets);
  byte.l_len = 1;
  return byte;
}

/// Locks of an open file description: unlike those of a process they also keep threads apart, and closing another descriptor of
/// the file does not lose them. 0, or the error.
int lock_command(int descriptor, int command, struct flock& byte) {
  int result;
  do result = ::fcntl(descriptor, command, &byte);
  while (result < 0 && errno == EINTR);
  return result < 0 ? errno : 0;
}

bool is_without_locks(int error) {
  return error == ENOLCK || error == EINVAL || error == ENOSYS || error == ENOTSUP || error == EOPNOTSUPP;
}

/// Better to run without than not at all.
void warn_once(const fs::path& file, int error) {
  static std::atomic<bool> warned = false;
  if (warned.exchange(true)) return;
  fmt::print(stderr, "{}: cannot be locked: {}; start no two programs on these results at once\n", file.string(),
             std::strerror(error));
}

[[noreturn]] void fail(const fs::path& file, const char* action, int error) {
  throw FileError(fmt::format("{}: cannot {}: {}; check the permissions of its directory, or choose another place with --out",
                              file.string(), action, std::strerror(error)));
}

}  // namespace

std::optional<RunLock> RunLock::take(const fs::path& experiment, const std::string& run_id) {
  const fs::path file = lock_file(experiment);
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor < 0) fail(file, "open", errno);
  RunLock lock(descriptor);
  struct flock byte = byte_of(run_id);
  const int error = lock_command(descriptor, F_OFD_SETLK, byte);
  if (error == 0) return lock;
  if (error == EAGAIN || error == EACCES) return std::nullopt;
  if (!is_without_locks(error)) fail(file, "lock", error);
  warn_once(file, error);
  return lock;
}

std::optional<bool> RunLock::is_held(const fs::path& experiment, const std::string& run_id) {
  const int descriptor = ::open(lock_file(experiment).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return errno == ENOENT ? std::optional(false) : std::nullopt;
  const RunLock owner(descriptor);
  struct flock byte = byte_of(run_id);
  if (lock_command(descriptor, F_OFD_GETLK, byte) != 0) return std::nullopt;
  return byte.l_type != F_UNLCK;
}

RunLock::RunLock(RunLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

RunLock::~RunLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace ropewalk
