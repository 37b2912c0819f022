// `log.txt` of a run: what happened to it, and when.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace ropewalk {

class RunLog {
 public:
  /// Appends to the file. Throws `FileError` if it cannot be opened.
  explicit RunLog(const std::filesystem::path& file);
  ~RunLog();

  /// A line that cannot be written is left out.
  void say(const std::string& line);

 private:
  struct Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace ropewalk
