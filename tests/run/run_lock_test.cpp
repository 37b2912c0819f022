#include "experiments/run/run_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

class RunLocks : public toy::InDirectory {
 protected:
  bool is_free(const std::string& run) const { return RunLock::take(directory_, run).has_value(); }
  bool is_held(const std::string& run) const { return RunLock::is_held(directory_, run).value(); }
};

/// Another process that holds a lock until it is killed.
class Holder {
 public:
  Holder(const fs::path& experiment, const std::string& run) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    process_ = ::fork();
    if (process_ == 0) {
      const auto lock = RunLock::take(experiment, run);
      const char taken = lock ? 'y' : 'n';
      if (::write(ready[1], &taken, 1) == 1) ::pause();
      ::_exit(0);
    }
    char taken = 'n';
    EXPECT_EQ(::read(ready[0], &taken, 1), 1);
    EXPECT_EQ(taken, 'y');
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~Holder() { kill(); }

  void kill() {
    if (process_ == 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }

 private:
  pid_t process_ = 0;
};

TEST_F(RunLocks, AProcessKeepsOthersOffUntilItIsKilled) {
  Holder holder(directory_, "rope");
  EXPECT_FALSE(is_free("rope"));
  EXPECT_TRUE(is_held("rope"));
  EXPECT_TRUE(is_free("alibi")) << "another run of the same experiment";
  EXPECT_FALSE(is_held("alibi"));
  holder.kill();
  EXPECT_FALSE(is_held("rope"));
  EXPECT_TRUE(is_free("rope"));
}

TEST_F(RunLocks, AThreadKeepsOthersOff) {
  auto lock = RunLock::take(directory_, "rope");
  ASSERT_TRUE(lock.has_value());
  bool free = true, held = false;
  std::thread([&] { free = is_free("rope"); }).join();
  std::thread([&] { held = is_held("rope"); }).join();
  EXPECT_FALSE(free);
  EXPECT_TRUE(held);
  EXPECT_TRUE(is_free("alibi"));
  EXPECT_FALSE(is_free("rope")) << "giving up another lock of the file must not give up this one";
  lock.reset();
  EXPECT_TRUE(is_free("rope"));
}

TEST_F(RunLocks, AMovedLockIsHeldOnce) {
  auto lock = RunLock::take(directory_, "rope");
  {
    const RunLock moved = std::move(*lock);
    lock.reset();
    EXPECT_TRUE(is_held("rope"));
  }
  EXPECT_FALSE(is_held("rope"));
}

TEST_F(RunLocks, AskingWritesNothing) {
  EXPECT_FALSE(is_held("rope"));
  EXPECT_FALSE(RunLock::is_held(directory_ / "nowhere", "rope").value());
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(RunLocks, AFileThatCannotBeOpenedIsNamed) {
  fs::create_directory(directory_ / ".locks");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, (directory_ / ".locks").string() + ": cannot open: Is a directory",
                      message_of([&] { RunLock::take(directory_, "rope"); }));
}

}  // namespace
}  // namespace ropewalk
