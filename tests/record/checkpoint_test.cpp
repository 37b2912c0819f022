#include "experiments/record/checkpoint.hpp"

#include <gtest/gtest.h>

#include "experiments/record/file.hpp"
#include "experiments/record/hdf5.hpp"
#include "tests/record/sample.hpp"

namespace ropewalk {
namespace {

class CheckpointFile : public InDirectory {
 protected:
  std::filesystem::path path_ = directory_ / "checkpoint.h5";
};

void expect_same(const std::vector<NamedArray>& a, const std::vector<NamedArray>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].shape, b[i].shape);
    EXPECT_EQ(a[i].values, b[i].values);
  }
}

TEST_F(CheckpointFile, ReadsBackWhatWasWritten) {
  const Checkpoint written = sample_checkpoint();
  write_checkpoint(path_, written);
  const Checkpoint read = read_checkpoint(path_);
  EXPECT_EQ(read.step, written.step);
  EXPECT_EQ(read.tokens, written.tokens);
  EXPECT_EQ(read.seconds, written.seconds);
  EXPECT_EQ(read.run_id, written.run_id);
  EXPECT_EQ(read.config, written.config);
  expect_same(read.parameters, written.parameters);
  expect_same(read.first_moment, written.first_moment);
  expect_same(read.second_moment, written.second_moment);
}

TEST_F(CheckpointFile, NamesWithDotsStaySingleDatasets) {
  write_checkpoint(path_, sample_checkpoint());
  const hdf5::Reader file(path_);
  EXPECT_EQ(file.shape("/parameters/head.weight"), (Shape{2, 3}));
  EXPECT_EQ(file.read<float>("/optimizer/second_moment/head.weight"), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(CheckpointFile, EqualCheckpointsGiveEqualBytes) {
  write_checkpoint(path_, sample_checkpoint());
  const std::string first = read_file(path_);
  write_checkpoint(path_, sample_checkpoint());
  EXPECT_EQ(read_file(path_), first);
}

TEST_F(CheckpointFile, AnOptimizerWithoutMomentsIsValid) {
  Checkpoint checkpoint = sample_checkpoint();
  checkpoint.first_moment.clear();
  checkpoint.second_moment.clear();
  write_checkpoint(path_, checkpoint);
  EXPECT_TRUE(read_checkpoint(path_).first_moment.empty());
}

TEST_F(CheckpointFile, RefusesWhatCannotBeStored) {
  Checkpoint checkpoint = sample_checkpoint();
  checkpoint.parameters[0].name = "a/b";
  EXPECT_EQ(message_of<Error>([&] { write_checkpoint(path_, checkpoint); }),
            "checkpoint: expected a name without '/', got 'a/b'");
  checkpoint = sample_checkpoint();
  checkpoint.parameters[0].shape = {7};
  EXPECT_EQ(message_of<Error>([&] { write_checkpoint(path_, checkpoint); }),
            "hdf5: /parameters/head.weight: expected 7 values for shape [7], got 6");
}

TEST_F(CheckpointFile, RefusesARunFile) {
  write_run(path_, sample_run());
  EXPECT_EQ(message_of([&] { read_checkpoint(path_); }),
            path_.string() + ": expected format 'ropewalk-checkpoint', got 'ropewalk-run'");
}

}  // namespace
}  // namespace ropewalk
