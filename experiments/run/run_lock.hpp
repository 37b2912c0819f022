// A run's directory belongs to one process at a time.
#pragma once

#include <filesystem>
#include <optional>

namespace ropewalk {

/// A lock on a directory that ends with its owner, however that ends.
class RunLock {
 public:
  /// Nothing if another process, or another thread of this one, has it. Throws `FileError` if the directory cannot be opened.
  static std::optional<RunLock> take(const std::filesystem::path& directory);

  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  explicit RunLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;  ///< -1: given away
};

}  // namespace ropewalk
