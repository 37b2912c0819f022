#include "experiments/record/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <regex>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

std::string advice(std::string_view action, int cause) {
  if (action == "replace" && cause == EISDIR) return "; move the directory of that name away";
  const bool writes = action == "write" || action == "replace";
  switch (cause) {
    case ENOSPC:
    case EDQUOT: return "; free some space there, or choose another place (--out, --csv, --output)";
    case EACCES:
    case EPERM:
    case EROFS:
      return writes ? "; check the permissions of its directory, or choose another place (--out, --csv, --output)"
                    : "; check its permissions";
    case ENOENT:
    case ENOTDIR: return "; check the path";
    default: return "";
  }
}

[[noreturn]] void fail(const fs::path& path, const char* action, int cause) {
  throw FileError(fmt::format("{}: cannot {}: {}{}", path.string(), action, std::strerror(cause), advice(action, cause)));
}

/// An open file descriptor. `path` is the name that errors speak of.
class Descriptor {
 public:
  Descriptor(const fs::path& opened, const fs::path& path, int flags, const char* action)
      : path_(path), number_(::open(opened.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number_ < 0) fail(path_, action, errno);
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  /// Bytes in the file; 0 if that is not known before it is read, as of a pipe.
  std::size_t size() const {
    struct stat facts {};
    return ::fstat(number_, &facts) == 0 ? static_cast<std::size_t>(facts.st_size) : 0;
  }

  std::size_t read(char* to, std::size_t count) {
    ssize_t done;
    do done = ::read(number_, to, count);
    while (done < 0 && errno == EINTR);
    if (done < 0) fail(path_, "read", errno);
    return static_cast<std::size_t>(done);
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t done = ::write(number_, bytes.data(), bytes.size());
      if (done < 0 && errno != EINTR) fail(path_, "write", errno);
      if (done > 0) bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }

  void sync() {
    // Some file systems have nothing to sync for a directory and say EINVAL.
    if (::fsync(number_) != 0 && errno != EINVAL) fail(path_, "write", errno);
  }

 private:
  fs::path path_;
  int number_;
};

/// Processes are numbered anew on every machine, and machines share directories of results.
std::string host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// `.<name>.partial-<host>-<process>-<count>`: hidden, beside the file, and no other writer's. One that is there already is of a
/// killed process that had the same number, as the first one in a container always has.
fs::path temporary_beside(const fs::path& path) {
  static std::atomic<int> count = 0;
  const std::string begin = fmt::format(".{}.partial-{}-{}-", path.filename().string(), host(), ::getpid());
  fs::path temporary;
  std::error_code ignored;
  do temporary = path.parent_path() / (begin + std::to_string(count++));
  while (fs::exists(temporary, ignored));
  return temporary;
}

/// Whether the process of that number exists, as far as can be seen.
bool is_alive(const std::string& process) {
  int number = 0;
  const char* end = process.data() + process.size();
  return std::from_chars(process.data(), end, number).ec == std::errc() && (::kill(number, 0) == 0 || errno == EPERM);
}

/// Whether nobody will come back for a temporary. Of another machine's processes nothing is known here, but none takes a day to
/// write a file.
bool is_abandoned(const fs::directory_entry& temporary, const std::string& host_of_it, const std::string& process) {
  if (host_of_it == host()) return !is_alive(process);
  std::error_code gone;
  const fs::file_time_type written = temporary.last_write_time(gone);
  return !gone && written < fs::file_time_type::clock::now() - std::chrono::hours(24);
}

/// Removes the file it names unless it was renamed away.
class Temporary {
 public:
  explicit Temporary(fs::path path) : path_(std::move(path)) {}
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const fs::path& path() const { return path_; }

  void rename_to(const fs::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) fail(target, "replace", errno);
    path_.clear();
  }

 private:
  fs::path path_;
};

}  // namespace

std::string read_file(const fs::path& path) {
  Descriptor file(path, path, O_RDONLY, "open");
  constexpr std::size_t kBlock = 1 << 16;
  std::string contents(file.size() + 1, '\0');  // one more: reading then ends without room for a further block
  std::size_t size = 0;
  while (const std::size_t done = file.read(contents.data() + size, contents.size() - size)) {
    size += done;
    if (size == contents.size()) contents.resize(size + std::max(kBlock, size));
  }
  contents.resize(size);
  return contents;
}

void replace_file(const fs::path& asked, std::string_view contents) {
  std::error_code missing;
  const fs::path path = fs::is_symlink(asked, missing) ? fs::weakly_canonical(asked) : asked;
  if (fs::exists(path, missing) && !fs::is_regular_file(path, missing) && !fs::is_directory(path, missing)) {
    Descriptor(path, path, O_WRONLY, "write").write(contents);  // a device or a pipe is written to, never replaced
    return;
  }
  Temporary temporary(temporary_beside(path));
  {
    Descriptor file(temporary.path(), path, O_WRONLY | O_CREAT | O_EXCL, "write");
    file.write(contents);
    file.sync();
  }
  temporary.rename_to(path);
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  Descriptor(directory, directory, O_RDONLY | O_DIRECTORY, "open").sync();
}

void remove_temporaries(const fs::path& directory) {
  static const std::regex pattern(R"(\..+\.partial-(.+)-(\d+)-\d+)");
  std::error_code ignored;  // a directory that cannot be listed now is reported by whoever reads or writes in it next
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    std::smatch parts;
    if (std::regex_match(name, parts, pattern) && is_abandoned(entry, parts[1], parts[2])) fs::remove(entry.path(), ignored);
  }
}

void make_directory(const fs::path& directory) {
  std::error_code code;
  fs::create_directories(directory, code);
  if (code) {
    throw FileError(fmt::format("{}: the run's directory cannot be made: {}; choose another place with --out", directory.string(),
                                code.message()));
  }
}

}  // namespace ropewalk
