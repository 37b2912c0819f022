// Files cut short or with flipped bits: a clear error, never a crash and never wrong numbers.
#include <gtest/gtest.h>

#include <random>

#include "experiments/record/file.hpp"
#include "experiments/record/seal.hpp"
#include "tests/record/sample.hpp"

namespace ropewalk {
namespace {

class Damage : public InDirectory {
 protected:
  Damage() {
    write_run(path_, sample_run());
    bytes_ = read_file(path_);
  }

  /// Reads `bytes` as a run, and expects an error that names the file.
  void expect_refused(const std::string& bytes) const {
    replace_file(path_, bytes);
    const std::string message = message_of([&] { read_run(path_); });
    EXPECT_EQ(message.rfind(path_.string() + ": ", 0), 0u) << message;
  }

  std::filesystem::path path_ = directory_ / "run.h5";
  std::string bytes_;
};

TEST_F(Damage, FilesCutShortAreRefused) {
  std::string unsealed = bytes_;
  unsealed.resize(bytes_.rfind('\n'));
  for (std::size_t i = 0; i < 50; ++i) expect_refused(unsealed.substr(0, unsealed.size() * i / 50));
  expect_refused(unsealed.substr(0, unsealed.size() - 1));
}

TEST_F(Damage, FlippedBitsAreRefused) {
  std::mt19937 random(1);
  const std::size_t sealed = bytes_.rfind('\n');
  for (int i = 0; i < 300; ++i) {
    std::string flipped = bytes_;
    flipped[random() % sealed] ^= static_cast<char>(1 << random() % 8);
    expect_refused(flipped);
  }
}

TEST_F(Damage, TheMessageSaysWhatToDo) {
  bytes_[bytes_.size() / 2] ^= 1;
  replace_file(path_, bytes_);
  EXPECT_EQ(message_of([&] { read_run(path_); }), path_.string() +
                                                      ": damaged: its bytes are not those that were written; restore it "
                                                      "from a copy, or remove it and run again");
}

TEST_F(Damage, AFileThatAnotherToolRewroteIsReadWithoutItsSeal) {
  replace_file(path_, bytes_.substr(0, bytes_.rfind('\n')));
  EXPECT_EQ(read_run(path_).evaluate.loss, sample_run().evaluate.loss);
}

TEST(Seal, TellsIntactBrokenAndAbsentApart) {
  std::string bytes = "some bytes";
  EXPECT_EQ(examine_seal(bytes), Seal::absent);
  EXPECT_EQ(examine_seal(""), Seal::absent);
  seal(bytes);
  EXPECT_EQ(examine_seal(bytes), Seal::intact);
  EXPECT_EQ(bytes.substr(10), "\nropewalk-fnv1a64 e9d36b0aa96ec9f6");
  bytes[3] ^= 1;
  EXPECT_EQ(examine_seal(bytes), Seal::broken);
}

}  // namespace
}  // namespace ropewalk
