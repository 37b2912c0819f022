#include "experiments/record/hdf5.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "experiments/record/file.hpp"
#include "tests/record/sample.hpp"

namespace ropewalk::hdf5 {
namespace {

using testing::IsSubstring;

class Hdf5 : public InDirectory {
 protected:
  std::filesystem::path path_ = directory_ / "f.h5";
};

const Labels kLabels{"1", "sample"};

template <class T>
void expect_round_trip(const std::filesystem::path& path, const std::vector<T>& values) {
  Writer file(path);
  file.dataset("/group/values", {static_cast<Index>(values.size()) / 2, 2}, values, kLabels);
  file.save();
  const Reader reader(path);
  EXPECT_EQ(reader.read<T>("/group/values"), values);
  EXPECT_EQ(reader.shape("/group/values"), (Shape{static_cast<Index>(values.size()) / 2, 2}));
}

TEST_F(Hdf5, KeepsEveryElementType) {
  expect_round_trip<double>(path_, {0.1, -std::numeric_limits<double>::infinity(), 1e-308, 3});
  expect_round_trip<float>(path_, {0.1f, -2.5f});
  expect_round_trip<std::int32_t>(path_, {std::numeric_limits<std::int32_t>::min(), 7});
  expect_round_trip<std::int64_t>(path_, {std::numeric_limits<std::int64_t>::max(), -1});
  expect_round_trip<std::uint64_t>(path_, {std::numeric_limits<std::uint64_t>::max(), 0});
  expect_round_trip<std::string>(path_, {"länger als acht Zeichen", "", "β", "a b"});
  expect_round_trip<double>(path_, {});
  expect_round_trip<std::string>(path_, {});
}

TEST_F(Hdf5, KeepsAttributesOfFilesGroupsAndDatasets) {
  const std::string long_text(100'000, 'c');  // beyond what an object's header holds
  Writer file(path_);
  file.dataset("/g/d", {1}, std::vector<double>{1}, {"tokens", "a length"});
  file.attribute("/", "text", long_text);
  file.attribute("/g", "count", std::int64_t{-5});
  file.attribute("/g/d", "share", 0.1);
  file.attribute("/", "empty", "");
  file.save();
  const Reader reader(path_);
  EXPECT_EQ(reader.attribute<std::string>("/", "text"), long_text);
  EXPECT_EQ(reader.attribute<std::string>("/", "empty"), "");
  EXPECT_EQ(reader.attribute<std::int64_t>("/g", "count"), -5);
  EXPECT_EQ(reader.attribute<double>("/g/d", "share"), 0.1);
  EXPECT_EQ(reader.attribute<std::string>("/g/d", "units"), "tokens");
  EXPECT_EQ(reader.attribute<std::string>("/g/d", "long_name"), "a length");
}

TEST_F(Hdf5, GroupsKeepTheOrderOfTheirMembers) {
  Writer file(path_);
  std::vector<std::string> names;
  for (int i = 40; i > 0; --i) names.push_back(fmt::format("m.{}", i));
  for (const std::string& name : names) file.dataset("/a/b/" + name, {}, std::vector<float>{1}, kLabels);
  file.group("/a/b");  // again: changes nothing
  file.save();
  const Reader reader(path_);
  EXPECT_EQ(reader.members("/a/b"), names);
  EXPECT_TRUE(reader.has("/a/b/m.7"));
  EXPECT_TRUE(reader.has("/"));
  EXPECT_FALSE(reader.has("/a/c/m.7"));
}

TEST_F(Hdf5, EqualContentsGiveEqualBytes) {
  const auto bytes = [&](const char* name) {
    Writer file(directory_ / name);
    file.dataset("/x", {2}, std::vector<std::string>{"a", "b"}, kLabels);
    file.make_scale("/x");
    file.dataset("/y", {2}, std::vector<double>{1, 2}, kLabels);
    file.attach_scale("/y", 0, "/x");
    file.save();
    return read_file(directory_ / name);
  };
  const std::string first = bytes("first.h5");
  EXPECT_EQ(first, bytes("second.h5"));
}

TEST_F(Hdf5, ErrorsNameFileObjectAndCause) {
  Writer file(path_);
  file.dataset("/d", {1}, std::vector<double>{1}, kLabels);
  file.save();
  const Reader reader(path_);
  const std::string name = path_.string();
  EXPECT_PRED_FORMAT2(IsSubstring, name + ": /missing: cannot open: ", message_of([&] { reader.read<double>("/missing"); }));
  EXPECT_PRED_FORMAT2(IsSubstring,
                      name + ": /d @scale: cannot open: ", message_of([&] { reader.attribute<double>("/d", "scale"); }));
  EXPECT_EQ(message_of([&] { reader.read<std::string>("/d"); }),
            name + ": /d: expected text of variable length, got another type");
  EXPECT_PRED_FORMAT2(
      IsSubstring, name + ": /d: cannot create: ", message_of([&] { file.dataset("/d", {1}, std::vector<double>{1}, kLabels); }));
  EXPECT_EQ(message_of<Error>([&] {
              file.dataset("/e", {2, 2}, std::vector<double>{1}, kLabels);
            }),
            "hdf5: /e: expected 4 values for shape [2, 2], got 1");
}

TEST_F(Hdf5, RefusesAnOtherFile) {
  replace_file(path_, "not HDF5");
  EXPECT_PRED_FORMAT2(IsSubstring,
                      path_.string() + ": /: cannot open as an HDF5 file: ", message_of([&] { Reader reader(path_); }));
}

TEST_F(Hdf5, ThreadsTakeTurns) {
  const auto work = [&](int thread) {
    for (int round = 0; round < 20; ++round) {
      const auto path = directory_ / (fmt::format("t{}", thread));
      const std::vector<double> values(100, thread + round);
      Writer file(path);
      file.dataset("/v", {100}, values, kLabels);
      file.save();
      ASSERT_EQ(Reader(path).read<double>("/v"), values);
    }
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) threads.emplace_back(work, thread);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ropewalk::hdf5
