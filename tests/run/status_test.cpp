#include "experiments/run/status.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/record/file.hpp"
#include "experiments/record/index.hpp"
#include "experiments/record/run_record.hpp"
#include "experiments/run/run_lock.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

class StatusOfRuns : public toy::InDirectory {
 protected:
  void record(const std::string& id, const std::string& status, const std::string& message = "") const {
    RunRecord run;
    run.train = {.step = {20, 30},
                 .stage = {1, 1},
                 .tokens = {1280, 1920},
                 .loss = {2.5, 2.25},
                 .rate = {1, 1},
                 .gradient_norm = {1, 1},
                 .seconds = {0.2, 0.3}};
    run.tags = {"größer"};
    run.environment.host = "here";
    run.environment.process = 77;
    run.run_id = id;
    run.status = status;
    run.message = message;
    run.steps = 60;
    fs::create_directories(experiment_ / id);
    write_run(experiment_ / id / "run.h5", run);
  }

  std::string state_of(const std::string& id) const {
    const ExperimentStatus found = read_status(experiment_, {}).front();
    const auto run = std::ranges::find(found.runs, id, [](const RunStatus& status) { return status.run.run_id; });
    return run == found.runs.end() ? "not there" : run->state;
  }

  const fs::path experiment_ = directory_ / "results" / "toy";
};

TEST_F(StatusOfRuns, TheLockTellsARunningRunFromAStoppedOne) {
  for (const char* recorded : {"running", "interrupted"}) {
    record("rope", recorded);
    EXPECT_EQ(state_of("rope"), "stopped") << recorded;
    const auto lock = RunLock::take(experiment_, "rope");
    EXPECT_EQ(state_of("rope"), "running") << recorded;
  }
}

TEST_F(StatusOfRuns, WhatIsOverStaysSoWhoeverHoldsIt) {
  for (const char* recorded : {"done", "diverged"}) {
    record("rope", recorded);
    const auto lock = RunLock::take(experiment_, "rope");
    EXPECT_EQ(state_of("rope"), recorded);
  }
  record("rope", "failed");
  EXPECT_EQ(state_of("rope"), "failed");
  const auto lock = RunLock::take(experiment_, "rope");
  EXPECT_EQ(state_of("rope"), "running") << "it is being tried again";
}

TEST_F(StatusOfRuns, TheIndexKnowsWhatHasNotBegun) {
  record("rope", "done");
  IndexEntry done, next, last;
  done.run_id = "rope";
  next.run_id = "alibi";
  next.tags = "a, b c";
  next.notes = "why";
  last.run_id = "t5";
  write_index(experiment_, {done, next, last});
  EXPECT_EQ(state_of("rope"), "done");
  EXPECT_EQ(state_of("alibi"), "waiting");
  const auto lock = RunLock::take(experiment_, "t5");
  EXPECT_EQ(state_of("t5"), "running") << "it has no file yet";
  const ExperimentStatus found = read_status(experiment_, {}).front();
  EXPECT_EQ(found.runs.front().run.run_id, "alibi");
  EXPECT_EQ(found.runs.front().run.tags, (std::vector<std::string>{"a", "b c"}));
  EXPECT_EQ(found.runs.front().run.notes, "why");
  EXPECT_EQ(found.count("done"), 1u);
  EXPECT_FALSE(found.is_damaged());
}

TEST_F(StatusOfRuns, SaysHowFarItIs) {
  record("rope", "running", "");
  const auto lock = RunLock::take(experiment_, "rope");
  const RunStatus found = read_status(experiment_, {}).front().runs.front();
  EXPECT_EQ(found.run.step, 30);
  EXPECT_EQ(found.run.steps, 60);
  EXPECT_EQ(found.run.loss, 2.25);
  EXPECT_EQ(found.run.host, "here");
  EXPECT_EQ(found.run.process, 77);
  EXPECT_DOUBLE_EQ(found.run.tokens_per_second.value(), 6400);
  EXPECT_DOUBLE_EQ(found.seconds_left().value(), 0.3) << "as long as the first half took";
  EXPECT_LT(found.saved_ago.value(), 60);
}

TEST_F(StatusOfRuns, TheTimeLeftGoesByTheSpeedOfLate) {
  record("rope", "running");
  const fs::path file = experiment_ / "rope" / "run.h5";
  RunRecord run = read_run(file);
  run.train = {};
  for (int i = 1; i <= 20; ++i) {
    run.train.step.push_back(i);
    run.train.tokens.push_back(64 * i);
    run.train.stage.push_back(1);
    for (auto* series : {&run.train.loss, &run.train.rate, &run.train.gradient_norm}) series->push_back(1);
    run.train.seconds.push_back(i < 10 ? 100 * i : 900 + i - 9);  // 100 s a step at first, then 1 s
  }
  write_run(file, run);
  const auto lock = RunLock::take(experiment_, "rope");
  const RunStatus found = read_status(experiment_, {}).front().runs.front();
  EXPECT_DOUBLE_EQ(found.run.tokens_per_second.value(), 64);
  EXPECT_DOUBLE_EQ(found.seconds_left().value(), 40);
}

TEST_F(StatusOfRuns, KeepsTheReasonOfAFailureAndNamesDamage) {
  record("rope", "failed", "out of luck");
  record("alibi", "done");
  const fs::path file = experiment_ / "alibi" / "run.h5";
  std::string bytes = read_file(file);
  bytes[bytes.size() / 2] ^= 1;
  write("results/toy/alibi/run.h5", bytes);
  const ExperimentStatus found = read_status(experiment_, {}).front();
  ASSERT_EQ(found.runs.size(), 2u);
  EXPECT_EQ(found.runs[0].state, "damaged");
  EXPECT_EQ(found.runs[0].run.run_id, "alibi");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "alibi/run.h5: damaged", found.runs[0].run.message);
  EXPECT_EQ(found.runs[1].run.message, "out of luck");
  EXPECT_TRUE(found.is_damaged());
}

TEST_F(StatusOfRuns, ADamagedIndexLeavesTheRunsReadable) {
  record("rope", "done");
  write("results/toy/index.h5", "no index");
  const ExperimentStatus found = read_status(experiment_, {}).front();
  EXPECT_EQ(found.runs.size(), 1u);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "index.h5", found.index_error.value());
  EXPECT_TRUE(found.is_damaged());
}

TEST_F(StatusOfRuns, ResultsAnExperimentOrOneRunWillDo) {
  record("rope", "done");
  record("alibi", "done");
  write_index(experiment_, {});
  EXPECT_EQ(read_status(directory_ / "results", {}).front().runs.size(), 2u);
  EXPECT_EQ(read_status(experiment_ / "rope" / "", {}).front().runs.size(), 1u);
  EXPECT_EQ(read_status(experiment_ / "rope", {}).front().directory.filename(), "toy");
  EXPECT_THROW(read_status(directory_ / "nowhere", {}), FileError);
  fs::create_directories(directory_ / "empty");
  EXPECT_THROW(read_status(directory_ / "empty", {}), FileError);
}

TEST_F(StatusOfRuns, CanBeOfSomeRunsOnly) {
  record("rope", "done");
  record("alibi", "done");
  EXPECT_EQ(read_status(experiment_, {.only = {"ro*"}, .tags = {"größer"}}).front().runs.size(), 1u);
  EXPECT_THROW(read_status(experiment_, {.only = {}, .tags = {"x"}}), UsageError);
  EXPECT_THROW(read_status(experiment_, {.only = {"x*"}, .tags = {}}), UsageError);
}

}  // namespace
}  // namespace ropewalk
