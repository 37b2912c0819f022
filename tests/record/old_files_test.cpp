// Files that people have are read for ever: tests/record/version_1 was written before runs kept their stage, their environment,
// their number of steps and what is known of their rotation.
#include <gtest/gtest.h>

#include "experiments/record/run_record.hpp"
#include "experiments/record/run_summary.hpp"

namespace ropewalk {
namespace {

const std::filesystem::path kFile = ROPEWALK_SOURCE_DIR "/tests/record/version_1/alibi/run.h5";

TEST(OldFiles, AreReadWhole) {
  const RunRecord run = read_run(kFile);
  EXPECT_EQ(run.run_id, "position-alibi-seed-0-steps-1500-9cd6de427f");
  EXPECT_EQ(run.status, "done");
  EXPECT_EQ(run.parameters, 132864);
  EXPECT_EQ(run.train.step.size(), 150u);
  EXPECT_EQ(run.train.step.back(), 1500);
  EXPECT_EQ(run.evaluate.protocol, std::vector<std::string>{"nonoverlapping"});
  EXPECT_EQ(run.evaluate.length, (std::vector<std::int64_t>{64, 128, 256, 512, 1024}));
  EXPECT_EQ(run.evaluate.loss.front(), 1.6120416671110505);
  EXPECT_EQ(run.evaluate.scored.front(), 65472);
  EXPECT_EQ(run.evaluate.position->loss.size(), 5u * 1024u);
}

TEST(OldFiles, HaveWhatWasTrueThenWhereNothingWasKept) {
  const RunRecord run = read_run(kFile);
  EXPECT_EQ(run.train.stage, std::vector<std::int64_t>(150, 1));
  EXPECT_EQ(run.evaluate.stage, std::vector<std::int64_t>{1});
  EXPECT_EQ(run.message, "");
  EXPECT_EQ(run.start, "");
  EXPECT_EQ(run.environment, Environment{});
  EXPECT_TRUE(run.tags.empty());
  EXPECT_FALSE(run.steps);
  EXPECT_FALSE(run.rotary);
}

TEST(OldFiles, AreSummarized) {
  const RunSummary run = read_summary(kFile);
  EXPECT_EQ(run.status, "done");
  EXPECT_EQ(run.step, 1500);
  EXPECT_EQ(run.host, "");
  EXPECT_TRUE(run.loss);
}

}  // namespace
}  // namespace ropewalk
