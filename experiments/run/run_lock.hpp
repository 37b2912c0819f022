// A run belongs to one process at a time, on one machine or on many that share a directory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ropewalk {

/// A lock on one run of an experiment: a byte of `<experiment>/.locks`, at an offset made from the run's id. It ends with its
/// owner, however that ends. A lock on a byte also holds over NFS, where one on a directory (flock) silently holds nobody off.
class RunLock {
 public:
  /// Nothing if another process, or another thread of this one, has it. Where the file system has no locks at all, everybody gets
  /// one, and the first is told so on the standard error. Throws `FileError` if the file cannot be opened to be written.
  static std::optional<RunLock> take(const std::filesystem::path& experiment, const std::string& run_id);

  /// Whether somebody has it, without taking it or writing anything; nothing if the file system cannot tell.
  static std::optional<bool> is_held(const std::filesystem::path& experiment, const std::string& run_id);

  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  explicit RunLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;  ///< -1: given away
};

}  // namespace ropewalk
