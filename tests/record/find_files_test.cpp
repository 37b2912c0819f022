#include "experiments/record/find_files.hpp"

#include <gtest/gtest.h>

#include "experiments/record/file.hpp"
#include "tests/record/sample.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

class FindFiles : public InDirectory {};

TEST_F(FindFiles, FindsNamesAtAnyDepthAndFollowsNoLinks) {
  fs::create_directories(directory_ / "b" / "a");
  for (const char* name : {"b/run.h5", "b/a/run.h5", "b/other", "index.h5"}) replace_file(directory_ / name, "x");
  fs::create_directory_symlink("..", directory_ / "b" / "round");
  EXPECT_EQ(find_files(directory_, {"run.h5", "index.h5"}),
            (std::vector<fs::path>{directory_ / "b" / "a" / "run.h5", directory_ / "b" / "run.h5", directory_ / "index.h5"}));
  EXPECT_TRUE(find_files(directory_, {"none"}).empty());
}

TEST_F(FindFiles, NamesADirectoryThatCannotBeListed) {
  EXPECT_EQ(message_of([&] { find_files(directory_ / "nowhere", {"run.h5"}); }),
            (directory_ / "nowhere").string() + ": cannot list: No such file or directory");
}

}  // namespace
}  // namespace ropewalk
