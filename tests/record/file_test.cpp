#include "experiments/record/file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/record/sample.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;
namespace fs = std::filesystem;

using File = InDirectory;

std::size_t files_in(const fs::path& directory) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

/// Makes every write past `bytes` fail, as on a full disk, while it lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(File, ReadsBackWhatWasWritten) {
  const std::string contents("a\0b\n", 4);
  replace_file(directory_ / "f", contents);
  EXPECT_EQ(read_file(directory_ / "f"), contents);
  replace_file(directory_ / "f", "");
  EXPECT_EQ(read_file(directory_ / "f"), "");
  EXPECT_EQ(files_in(directory_), 1u);
}

TEST_F(File, ReadsMoreThanOneBlock) {
  const std::string contents(3'000'001, 'x');
  replace_file(directory_ / "f", contents);
  EXPECT_EQ(read_file(directory_ / "f"), contents);
}

TEST_F(File, FailedWriteLeavesTheOldFileAndNoTemporary) {
  replace_file(directory_ / "f", "old");
  {
    const FileSizeLimit full(1000);
    const std::string message = message_of([&] { replace_file(directory_ / "f", std::string(5000, 'x')); });
    EXPECT_PRED_FORMAT2(IsSubstring, (directory_ / "f").string() + ": cannot write: ", message);
  }
  EXPECT_EQ(read_file(directory_ / "f"), "old");
  EXPECT_EQ(files_in(directory_), 1u);
}

TEST_F(File, ErrorsNamePathCauseAndWhatToTry) {
  const fs::path missing = directory_ / "missing";
  EXPECT_EQ(message_of([&] { read_file(missing); }),
            missing.string() + ": cannot open: No such file or directory; check the path");
  EXPECT_EQ(message_of([&] { read_file(directory_); }), directory_.string() + ": cannot read: Is a directory");
  EXPECT_EQ(message_of([&] { replace_file(missing / "f", "x"); }),
            (missing / "f").string() + ": cannot write: No such file or directory; check the path");
}

TEST_F(File, CannotReplaceADirectory) {
  fs::create_directory(directory_ / "d");
  const std::string message = message_of([&] { replace_file(directory_ / "d", "x"); });
  EXPECT_PRED_FORMAT2(IsSubstring, "d: cannot replace: ", message);
  EXPECT_EQ(files_in(directory_), 1u);
}

TEST_F(File, RefusedPermissionSaysSo) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  ::chmod(directory_.c_str(), 0500);
  const std::string message = message_of([&] { replace_file(directory_ / "f", "x"); });
  ::chmod(directory_.c_str(), 0700);
  EXPECT_PRED_FORMAT2(IsSubstring, "Permission denied; check the permissions", message);
}

TEST_F(File, ReadersNeverSeeAPart) {
  const fs::path path = directory_ / "f";
  replace_file(path, std::string(100'000, 'a'));
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i) replace_file(path, std::string(100'000, static_cast<char>('a' + i % 26)));
  });
  for (int i = 0; i < 500; ++i) {
    const std::string seen = read_file(path);
    ASSERT_EQ(seen, std::string(100'000, seen[0]));
  }
  writer.join();
}

std::string this_host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

TEST_F(File, RemovesTemporariesAndNothingElse) {
  const fs::path left = directory_ / fmt::format(".run.h5.partial-{}-99999999-0", this_host());
  for (const fs::path& name : {left, directory_ / "run.h5", directory_ / "notes.partial-a-1-2", directory_ / ".hidden"}) {
    std::ofstream(name) << "x";
  }
  remove_temporaries(directory_);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_EQ(files_in(directory_), 3u);
  EXPECT_NO_THROW(remove_temporaries(directory_ / "missing"));
}

TEST_F(File, KeepsTheTemporariesOfAProcessThatIsAlive) {
  const fs::path alive = directory_ / fmt::format(".run.h5.partial-{}-{}-0", this_host(), ::getpid());
  replace_file(alive, "x");
  remove_temporaries(directory_);
  EXPECT_TRUE(fs::exists(alive));
}

TEST_F(File, KeepsTheTemporariesOfAnotherMachineForADay) {
  const fs::path other = directory_ / ".run.h5.partial-far-away-99999999-0";
  std::ofstream(other) << "x";
  remove_temporaries(directory_);
  EXPECT_TRUE(fs::exists(other));
  fs::last_write_time(other, fs::file_time_type::clock::now() - std::chrono::hours(25));
  remove_temporaries(directory_);
  EXPECT_FALSE(fs::exists(other));
}

TEST_F(File, PassesOverTheTemporariesOfAKilledProcessOfTheSameNumber) {
  std::vector<fs::path> left;
  for (int count = 0; count < 100; ++count) {
    left.push_back(directory_ / fmt::format(".f.partial-{}-{}-{}", this_host(), ::getpid(), count));
    std::ofstream(left.back()) << "half";
  }
  EXPECT_NO_THROW(replace_file(directory_ / "f", "whole"));
  EXPECT_EQ(read_file(directory_ / "f"), "whole");
  EXPECT_EQ(files_in(directory_), left.size() + 1);
}

TEST_F(File, WritesThroughALinkAndToADevice) {
  replace_file(directory_ / "target", "old");
  fs::create_symlink(directory_ / "target", directory_ / "link");
  replace_file(directory_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_EQ(read_file(directory_ / "target"), "new");
  const fs::path pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread reader([&] { EXPECT_EQ(read_file(pipe), "through"); });
  replace_file(pipe, "through");
  reader.join();
  EXPECT_TRUE(fs::is_fifo(pipe));
}

}  // namespace
}  // namespace ropewalk
