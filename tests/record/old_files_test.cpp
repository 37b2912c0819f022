// Files that people have are read for ever. Of those in tests/record/version_1, alibi was written before runs kept their stage,
// their environment, their number of steps and what is known of their rotation; rope has all that, two stages and attention.
#include <gtest/gtest.h>

#include "experiments/record/run_record.hpp"
#include "experiments/record/run_summary.hpp"

namespace ropewalk {
namespace {

const std::filesystem::path kFolder = ROPEWALK_SOURCE_DIR "/tests/record/version_1";
const std::filesystem::path kFile = kFolder / "alibi" / "run.h5";

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

TEST(OldFiles, WithStagesAndAttention) {
  const RunRecord run = read_run(kFolder / "rope" / "run.h5");
  EXPECT_EQ(run.train.stage, (std::vector<std::int64_t>{1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(run.evaluate.step, (std::vector<std::int64_t>{15, 20, 30}));
  EXPECT_EQ(run.evaluate.loss.back(), 5.168764611706138);
  EXPECT_EQ(run.evaluate.attention->entropy.back(), 2.548591896940917);
  EXPECT_EQ(run.evaluate.attention->mean_distance.back(), 7.7410042488644555);
  EXPECT_EQ(run.rotary->serves, 3);
  EXPECT_EQ(run.steps, 30);
  EXPECT_EQ(run.tags, std::vector<std::string>{"kept"});
  EXPECT_EQ(run.environment.host, "example");
  EXPECT_TRUE(run.start.starts_with("run position-rope-base-100"));
}

}  // namespace
}  // namespace ropewalk
