#include "experiments/launch/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

/// A file without a name for what a program prints: unlike a pipe it takes any amount while nobody reads.
class Capture {
 public:
  Capture() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) throw FileError(fmt::format("cannot make a temporary file: {}; check TMPDIR and /tmp", std::strerror(errno)));
  }

  int descriptor() const { return fileno(file_.get()); }

  std::string text() const {
    std::string text;
    std::rewind(file_.get());
    for (int letter = std::fgetc(file_.get()); letter != EOF; letter = std::fgetc(file_.get())) text += static_cast<char>(letter);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

pid_t start(const std::vector<std::string>& command, const Capture& output, const Capture& errors) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  pid_t process = 0;
  const int error = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw FileError(fmt::format("{}: cannot be started: {}", command[0], std::strerror(error)));
  return process;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& command) {
  const Capture output, errors;
  const pid_t process = start(command, output, errors);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output.text(), errors.text()};
}

}  // namespace ropewalk
