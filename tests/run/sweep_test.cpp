#include "experiments/run/sweep.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

#include "experiments/record/checkpoint.hpp"
#include "experiments/record/file.hpp"
#include "experiments/record/hdf5.hpp"
#include "experiments/record/run_record.hpp"
#include "experiments/run/environment.hpp"
#include "experiments/run/interrupt.hpp"
#include "experiments/run/run.hpp"
#include "experiments/run/run_index.hpp"
#include "experiments/run/run_lock.hpp"
#include "tests/run/sweep_files.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;
using toy::Outcome;
using toy::Witness;
namespace fs = std::filesystem;
using SweepFiles = toy::SweepFiles;

TEST_F(SweepFiles, LeavesEveryFileOfTheContract) {
  const config::Plan plan = this->plan();
  Witness witness;
  const SweepResult result = run(plan, witness);
  EXPECT_EQ(result.done, 2);
  EXPECT_EQ(result.exit_code(), 0);
  for (const config::RunConfig& run : plan.runs) {
    EXPECT_EQ(read_file(file(run, "config.yaml")), run.yaml);
    EXPECT_PRED_FORMAT2(IsSubstring, "done at step 12", read_file(file(run, "log.txt")));
    const RunRecord record = read_run(file(run, "run.h5"));
    EXPECT_EQ(record.status, "done");
    EXPECT_EQ(record.run_id, run.id);
    EXPECT_EQ(record.config, run.yaml);
    EXPECT_EQ(record.train.step, (std::vector<std::int64_t>{5, 10, 12})) << "every 5 steps, and the last";
    EXPECT_EQ(record.train.tokens, (std::vector<std::int64_t>{480, 960, 1152}));
    EXPECT_EQ(record.evaluate.step, (std::vector<std::int64_t>{12}));
    EXPECT_EQ(record.evaluate.scored, (std::vector<std::int64_t>{384, 360}));
    EXPECT_GT(record.peak_bytes, 4 * record.parameters);
    EXPECT_FALSE(record.started.empty() || record.finished.empty());
    EXPECT_EQ(read_checkpoint(file(run, "checkpoint.h5")).step, 12);
  }
  EXPECT_NE(outcome(plan.runs[0]), outcome(plan.runs[1])) << "another seed is another run";
}

TEST_F(SweepFiles, TheIndexListsEveryRunAndLinksToIt) {
  const config::Plan plan = this->plan();
  Witness witness;
  run(plan, witness);
  EXPECT_EQ(index().size(), 2u);
  const hdf5::Reader file(options_.out / "toy" / "index.h5");
  const auto seeds = file.read<std::int64_t>("/runs/seed");
  EXPECT_EQ(std::set<std::int64_t>(seeds.begin(), seeds.end()), (std::set<std::int64_t>{0, 1}));
  for (const config::RunConfig& run : plan.runs) {
    EXPECT_EQ(index()[run.id], std::pair(std::string("done"), Index{12}));
    const std::vector<std::string> links = file.members("/files");
    EXPECT_EQ(std::count(links.begin(), links.end(), run.id), 1) << run.id;
  }
}

TEST_F(SweepFiles, TheIndexKeepsRunsOfOtherConfigsWithTheSettingsInWhichTheyDiffer) {
  Witness witness;
  const config::Plan wide = this->plan(), narrow = this->plan("{layers: 1, heads: 2, width: 8}", "steps: 13, clip: 0.5", "");
  run(wide, witness);
  run(narrow, witness);
  EXPECT_EQ(index().size(), 3u);
  EXPECT_EQ(index()[wide.runs[0].id], std::pair(std::string("done"), Index{12}));
  EXPECT_EQ(index()[narrow.runs[0].id], std::pair(std::string("done"), Index{13}));
  const hdf5::Reader file(options_.out / "toy" / "index.h5");
  const std::vector<std::string> columns = file.members("/runs");
  for (const char* differs : {"train.steps", "train.clip"})
    EXPECT_EQ(std::count(columns.begin(), columns.end(), differs), 1) << differs;
  EXPECT_EQ(std::count(columns.begin(), columns.end(), "train.batch"), 0);
}

TEST_F(SweepFiles, AnIndexKnowsWhatIsPlannedBeforeAnythingHasBegun) {
  const config::Plan plan = this->plan();
  fs::create_directories(options_.out / "toy");
  RunIndex(options_.out / "toy", {&plan}).write();
  ASSERT_EQ(index().size(), plan.runs.size());
  for (const auto& [id, row] : index()) EXPECT_EQ(row, std::pair(std::string("waiting"), Index{0}));
}

TEST_F(SweepFiles, RunsItsShareOfAllPlansAndIndexesTheOthers) {
  const config::Plan first = plan(), second = plan("{layers: 1, heads: 2, width: 16}", "steps: 12", "sweep: {seeds: 3}");
  options_.share = {2, 2};
  Witness witness;
  EXPECT_EQ(run_sweep({first, second}, options_, witness).done, 2);
  EXPECT_EQ(witness.runs, 2u);
  EXPECT_TRUE(fs::exists(file(first.runs[1], "run.h5")) && fs::exists(file(second.runs[1], "run.h5")));
  EXPECT_FALSE(fs::exists(file(first.runs[0], "run.h5")) || fs::exists(file(second.runs[0], "run.h5")));
  EXPECT_EQ(index()[second.runs[2].id].first, "waiting");
  options_.share = {1, 2};
  EXPECT_EQ(run_sweep({first, second}, options_, witness).done, 3);
  options_.share = {};
  EXPECT_EQ(run_sweep({first, second}, options_, witness).skipped, 5);
}

TEST_F(SweepFiles, TheIndexTakesInWhatAnotherProcessDoes) {
  const config::Plan plan = this->plan();
  fs::create_directories(options_.out / "toy");
  RunIndex ours(options_.out / "toy", {&plan});
  ours.update(plan.runs[0].id, {"running", 0});
  options_.filter.only = {plan.runs[1].id};
  Witness witness;
  run(plan, witness);
  ours.update(plan.runs[0].id, {"interrupted", 7});
  ours.write();
  EXPECT_EQ(index()[plan.runs[0].id], std::pair(std::string("interrupted"), Index{7}));
  EXPECT_EQ(index()[plan.runs[1].id], std::pair(std::string("done"), Index{12}));
}

TEST_F(SweepFiles, OnlyRunsThatTheFilterAcceptsAreTrained) {
  const config::Plan plan = this->plan();
  options_.filter.only = {"*seed-1-*"};
  Witness witness;
  EXPECT_EQ(run(plan, witness).done, 1);
  EXPECT_EQ(index()[plan.runs[0].id].first, "waiting");
  EXPECT_EQ(index()[plan.runs[1].id].first, "done");
}

TEST_F(SweepFiles, SkipsWhatIsDone) {
  const config::Plan plan = this->plan();
  Witness first, second;
  run(plan, first);
  const std::string before = read_file(file(plan.runs[0], "run.h5"));
  const SweepResult result = run(plan, second);
  EXPECT_EQ(result.skipped, 2);
  EXPECT_EQ(result.exit_code(), 0);
  EXPECT_TRUE(second.began.empty());
  EXPECT_EQ(second.skips.size(), 2u);
  EXPECT_EQ(read_file(file(plan.runs[0], "run.h5")), before);
}

TEST_F(SweepFiles, RemovesWhatAKilledProgramWasWriting) {
  const config::Plan plan = this->plan();
  Witness witness;
  run(plan, witness);
  const std::string killed = ".partial-" + environment().host + "-99999999-0";
  const std::vector<fs::path> partial{options_.out / "toy" / (".index.h5" + killed),
                                      directory_of(plan.runs[0]) / (".run.h5" + killed)};
  for (const fs::path& file : partial) replace_file(file, "half of a f");
  run(plan, witness);
  for (const fs::path& file : partial) EXPECT_FALSE(fs::exists(file)) << file;
}

TEST_F(SweepFiles, AResumedRunEndsAsAnUndisturbedOne) {
  const config::Plan plan = this->plan("{layers: 1, heads: 2, width: 8, dropout: 0.2}", "steps: 12", "");
  const config::RunConfig& only = plan.runs.front();
  Witness undisturbed;
  run(plan, undisturbed);
  const Outcome expected = outcome(only);
  for (Index stop : {1, 5, 7, 11}) {
    fs::remove_all(options_.out);
    interrupt_at(only, stop);
    Witness witness;
    EXPECT_EQ(run(plan, witness).done, 1);
    EXPECT_EQ(witness.began[only.id], stop);
    EXPECT_EQ(outcome(only), expected) << "stopped after step " << stop;
    EXPECT_EQ(read_run(file(only, "run.h5")).train.step, (std::vector<std::int64_t>{5, 10, 12}));
  }
}

TEST_F(SweepFiles, AResumedRunOfMaskedTokensEndsAsAnUndisturbedOne) {
  const std::string text = toy::config_text(text_.string(), "{layers: 1, heads: 2, width: 8, dropout: 0.2}");
  const config::Plan plan = config::parse_plan(text, "toy", toy::masked(text_.string()));
  const config::RunConfig& only = plan.runs.front();
  Witness undisturbed;
  run(plan, undisturbed);
  const Outcome expected = outcome(only);
  fs::remove_all(options_.out);
  interrupt_at(only, 7);
  Witness witness;
  EXPECT_EQ(run(plan, witness).done, 1);
  EXPECT_EQ(witness.began[only.id], 7);
  EXPECT_EQ(outcome(only), expected);
}

TEST_F(SweepFiles, TagsAndNotesMayChangeWhileARunIsUnderWay) {
  const config::Plan plan = this->plan("{layers: 1, heads: 2, width: 8}", "steps: 12", "tags: [a, b]\nnotes: first");
  const config::RunConfig& only = plan.runs.front();
  interrupt_at(only, 6);
  Witness witness;
  run(plan, witness);
  EXPECT_EQ(witness.began[only.id], 6);
  RunRecord record = read_run(file(only, "run.h5"));
  EXPECT_EQ(record.tags, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(record.notes, "first");
  const config::Plan later = this->plan("{layers: 1, heads: 2, width: 8}", "steps: 12", "sweep: {seeds: 2}\nnotes: second");
  run(later, witness);
  EXPECT_EQ(read_run(file(only, "run.h5")).notes, "first") << "it was over";
  const hdf5::Reader index(options_.out / "toy" / "index.h5");
  const auto notes = index.read<std::string>("/runs/notes");
  EXPECT_EQ((std::set<std::string>(notes.begin(), notes.end())), (std::set<std::string>{"first", "second"}));
  const auto tags = index.read<std::string>("/runs/tags");
  EXPECT_EQ((std::set<std::string>(tags.begin(), tags.end())), (std::set<std::string>{"a, b", ""}));
}

TEST_F(SweepFiles, AnEvaluationAfterTheLastCheckpointIsMadeAgainOnce) {
  const config::Plan plan = this->plan("{layers: 1, heads: 2, width: 8}", "steps: 12", "");
  const config::RunConfig& only = plan.runs.front();
  interrupt_at(only, 6);
  RunRecord ahead = read_run(file(only, "run.h5"));  // as after a kill between the writing of the metrics and of the checkpoint
  ahead.train.step.push_back(10);
  ahead.train.stage.push_back(1);
  ahead.train.tokens.push_back(960);
  for (auto* series : {&ahead.train.loss, &ahead.train.rate, &ahead.train.gradient_norm, &ahead.train.seconds})
    series->push_back(1);
  write_run(file(only, "run.h5"), ahead);
  Witness witness;
  run(plan, witness);
  const RunRecord record = read_run(file(only, "run.h5"));
  EXPECT_EQ(record.train.step, (std::vector<std::int64_t>{5, 10, 12}));
  EXPECT_NE(record.train.loss[1], 1);
  EXPECT_EQ(record.evaluate.step, (std::vector<std::int64_t>{12}));
}

TEST_F(SweepFiles, ThreadsAndJobsChangeNoBit) {
  const config::Plan plan = this->plan();
  std::vector<Outcome> first;
  for (const auto& [threads, jobs] : {std::pair{1, 1}, {2, 2}, {2, 1}, {5, 2}}) {
    fs::remove_all(options_.out);
    options_.threads = threads;
    options_.jobs = jobs;
    Witness witness;
    run(plan, witness);
    const std::vector<Outcome> found{outcome(plan.runs[0]), outcome(plan.runs[1])};
    if (first.empty()) first = found;
    EXPECT_EQ(found, first) << threads << " threads, " << jobs << " jobs";
  }
}

TEST_F(SweepFiles, EvaluatesAsOftenAsAskedWithoutChangingTheTraining) {
  const config::Plan plan = this->plan("{layers: 1, heads: 2, width: 8, dropout: 0.2}", "steps: 12", "");
  Witness witness;
  run(plan, witness);
  const Outcome once = outcome(plan.runs.front());
  const config::Plan often = config::parse_plan(plan.runs.front().yaml, "toy", {"evaluate.every=5", "record.every=1"});
  run(often, witness);
  const RunRecord record = read_run(file(often.runs.front(), "run.h5"));
  EXPECT_EQ(record.evaluate.step, (std::vector<std::int64_t>{5, 10, 12}));
  EXPECT_EQ(record.train.step.size(), 12u);
  EXPECT_EQ(outcome(often.runs.front()).parameters, once.parameters);
  const std::vector<double> final(record.evaluate.loss.end() - 2, record.evaluate.loss.end());
  EXPECT_EQ(final, once.loss);
}

TEST_F(SweepFiles, TheLastStepIsEvaluatedOnce) {
  const config::Plan plan =
      config::parse_plan(this->plan("{heads: 2, width: 8}", "steps: 12", "").runs.front().yaml, "toy", {"evaluate.every=6"});
  const config::RunConfig& only = plan.runs.front();
  Witness witness;
  run(plan, witness);
  EXPECT_EQ(read_run(file(only, "run.h5")).evaluate.step, (std::vector<std::int64_t>{6, 12}));
  const Outcome expected = outcome(only);
  RunRecord unfinished = read_run(file(only, "run.h5"));  // as after a kill between the last checkpoint and the last status
  unfinished.status = "running";
  write_run(file(only, "run.h5"), unfinished);
  EXPECT_EQ(run(plan, witness).done, 1);
  EXPECT_EQ(read_run(file(only, "run.h5")).evaluate.step, (std::vector<std::int64_t>{6, 12}));
  EXPECT_EQ(outcome(only), expected);
}

// No step comes after the last update: what it broke shows in the evaluation.
TEST_F(SweepFiles, ARunThatItsLastStepBreaksHasDiverged) {
  std::string text = toy::config_text(text_.string(), "{layers: 1, heads: 2, width: 8}",
                                      "steps: 1, optimizer: {kind: adamw, rate: 1.0e+30}", "");
  const std::string warmup = "warmup: 2";
  text.replace(text.find(warmup), warmup.size(), "warmup: 0");
  const config::Plan plan = config::parse_plan(text, "toy");
  Witness witness;
  const SweepResult result = run(plan, witness);
  EXPECT_EQ(result.diverged, 1);
  EXPECT_EQ(result.exit_code(), 1);
  const RunRecord record = read_run(file(plan.runs[0], "run.h5"));
  EXPECT_EQ(record.status, "diverged");
  EXPECT_EQ(record.message, "an evaluated loss is not finite at step 1");
  EXPECT_TRUE(std::isnan(record.evaluate.loss.front()));
  EXPECT_EQ(record.evaluate.token_accuracy.front(), 0);
  EXPECT_EQ(run(plan, witness).diverged, 1) << "it would diverge again";
}

TEST_F(SweepFiles, ADivergedRunIsRecordedAndTheOthersGoOn) {
  const config::Plan plan = this->plan("{layers: 1, heads: 2, width: 8}", "steps: 12",
                                       "sweep: {grid: {train.optimizer: [{kind: adamw, rate: 1.0e+30}, {kind: adamw}]}}");
  Witness witness;
  const SweepResult result = run(plan, witness);
  EXPECT_EQ(result.diverged, 1);
  EXPECT_EQ(result.done, 1);
  EXPECT_EQ(result.exit_code(), 1);
  const RunRecord record = read_run(file(plan.runs[0], "run.h5"));
  EXPECT_EQ(record.status, "diverged");
  EXPECT_FALSE(record.finished.empty());
  EXPECT_FALSE(std::isfinite(record.train.loss.back()) && std::isfinite(record.train.gradient_norm.back()));
  const Checkpoint kept = read_checkpoint(file(plan.runs[0], "checkpoint.h5"));
  EXPECT_EQ(kept.step + 1, record.train.step.back());
  EXPECT_EQ(record.message, fmt::format("the loss or its gradient is not finite at step {}", record.train.step.back()));
  for (const NamedArray& array : kept.parameters) {
    for (float value : array.values) ASSERT_TRUE(std::isfinite(value)) << array.name;
  }
  const SweepResult again = run(plan, witness);
  EXPECT_EQ(again.diverged, 1) << "it would diverge again";
  EXPECT_EQ(again.skipped, 1);
  EXPECT_EQ(again.exit_code(), 1);
  EXPECT_EQ(index()[plan.runs[0].id], std::pair(std::string("diverged"), kept.step));
}

TEST_F(SweepFiles, AFailedRunIsRecordedAndTriedAgainWhenAsked) {
  config::Plan plan = this->plan();
  plan.runs[0].settings.model.heads = 3;  // does not divide the width: no config says so, but the engine refuses it
  Witness witness;
  const SweepResult result = run(plan, witness);
  EXPECT_EQ(result.failed, 1);
  EXPECT_EQ(result.done, 1);
  EXPECT_EQ(result.exit_code(), 1);
  EXPECT_EQ(witness.statuses[plan.runs[0].id], "failed");
  EXPECT_EQ(read_run(file(plan.runs[0], "run.h5")).status, "failed");
  const std::string log = read_file(file(plan.runs[0], "log.txt"));
  EXPECT_PRED_FORMAT2(IsSubstring, "failed: " + witness.messages[plan.runs[0].id], log);
  EXPECT_FALSE(witness.messages[plan.runs[0].id].empty());
  const SweepResult again = run(this->plan(), witness);
  EXPECT_EQ(again.failed, 1) << "it is over until somebody has seen to it";
  EXPECT_EQ(again.exit_code(), 1);
  options_.retry_failed = true;
  EXPECT_EQ(run(this->plan(), witness).done, 1) << "with the cause gone it is trained";
  EXPECT_EQ(read_run(file(plan.runs[0], "run.h5")).message, "");
}

TEST_F(SweepFiles, FailFastBeginsNoFurtherRun) {
  config::Plan plan = this->plan();
  plan.runs[0].settings.model.heads = 3;
  options_.fail_fast = true;
  options_.jobs = 1;
  Witness witness;
  const SweepResult result = run(plan, witness);
  EXPECT_EQ(result.failed, 1);
  EXPECT_EQ(result.done, 0);
  EXPECT_FALSE(fs::exists(directory_of(plan.runs[1])));
}

/// In a process of its own, since a stop that was asked for cannot be taken back.
[[noreturn]] void stop_while(const config::Plan& plan, SweepOptions options,
                             const std::function<bool(const RunProgress&)>& moment) {
  options.threads = 1;
  catch_interrupts();
  Witness witness;
  bool asked = false;
  witness.at_progress = [&](const RunProgress& progress) {
    if (asked || !moment(progress)) return;
    asked = true;
    kill(getpid(), SIGTERM);
    while (!interrupted()) std::this_thread::yield();
  };
  std::exit(run_sweep({plan}, options, witness).exit_code());
}

TEST_F(SweepFiles, AStopSavesTheRunUnderWay) {
  const config::Plan plan = this->plan();
  EXPECT_EXIT(stop_while(plan, options_, [](const RunProgress& run) { return run.step == 7; }), testing::ExitedWithCode(130), "");
  EXPECT_EQ(read_run(file(plan.runs[0], "run.h5")).status, "interrupted");
  EXPECT_EQ(read_checkpoint(file(plan.runs[0], "checkpoint.h5")).step, 7);
  EXPECT_EQ(index()[plan.runs[0].id], std::pair(std::string("interrupted"), Index{7}));
  EXPECT_FALSE(fs::exists(directory_of(plan.runs[1])));
}

TEST_F(SweepFiles, AStopGivesUpAnEvaluationWhichResumingDoesAgain) {
  const config::Plan plan = this->plan();
  const auto evaluating = [](const RunProgress& run) { return run.evaluated.has_value(); };
  EXPECT_EXIT(stop_while(plan, options_, evaluating), testing::ExitedWithCode(130), "");
  const RunRecord stopped = read_run(file(plan.runs[0], "run.h5"));
  EXPECT_EQ(stopped.status, "interrupted");
  EXPECT_EQ(stopped.train.step.back(), 12);
  EXPECT_TRUE(stopped.evaluate.step.empty());
  EXPECT_FALSE(fs::exists(directory_of(plan.runs[1])));
  Witness witness;
  EXPECT_EQ(run(plan, witness).done, 2);
  EXPECT_EQ(read_run(file(plan.runs[0], "run.h5")).evaluate.step, (std::vector<std::int64_t>{12}));
}

TEST_F(SweepFiles, LeavesARunToTheProcessThatHasIt) {
  const config::Plan plan = this->plan();
  const fs::path experiment = options_.out / "toy";
  fs::create_directories(experiment);
  const auto lock = RunLock::take(experiment, plan.runs[0].id);
  ASSERT_TRUE(lock.has_value());
  EXPECT_FALSE(RunLock::take(experiment, plan.runs[0].id).has_value());
  Witness witness;
  const SweepResult result = run(plan, witness);
  EXPECT_EQ(result.elsewhere, 1);
  EXPECT_EQ(result.done, 1);
  EXPECT_EQ(result.exit_code(), 0);
  EXPECT_FALSE(fs::exists(file(plan.runs[0], "run.h5")));
}

TEST_F(SweepFiles, RefusesATextThatWasChangedUnderItsName) {
  const config::Plan plan = this->plan();
  Witness witness;
  run(plan, witness);
  RunRecord record = read_run(file(plan.runs[0], "run.h5"));
  record.data = "6000 bytes, fnv1a 0000000000000000";
  write_run(file(plan.runs[0], "run.h5"), record);
  EXPECT_EQ(run(plan, witness).unwritten, 1);
}

TEST_F(SweepFiles, RefusesTheDirectoryOfAnotherConfig) {
  const config::Plan plan = this->plan();
  Witness witness;
  run(plan, witness);
  fs::remove_all(directory_of(plan.runs[1]));
  fs::rename(directory_of(plan.runs[0]), directory_of(plan.runs[1]));
  const std::string before = read_file(file(plan.runs[1], "run.h5"));
  const SweepResult result = run(plan, witness);
  EXPECT_EQ(result.unwritten, 1);
  EXPECT_EQ(result.done, 1);
  EXPECT_EQ(result.exit_code(), 3);
  EXPECT_EQ(witness.messages[plan.runs[1].id],
            fmt::format("{}: expected the run {}, got one of another config; move its directory away to train this one",
                        file(plan.runs[1], "run.h5").string(), plan.runs[1].id));
  EXPECT_EQ(read_file(file(plan.runs[1], "run.h5")), before) << "the other run's results stay";
}

TEST_F(SweepFiles, DamagedFilesAreNamedAndTheOthersGoOn) {
  for (const char* damaged : {"run.h5", "checkpoint.h5"}) {
    fs::remove_all(options_.out);
    const config::Plan plan = this->plan();
    interrupt_at(plan.runs[0], 4);
    std::string bytes = read_file(file(plan.runs[0], damaged));
    bytes[bytes.size() / 2] ^= 1;
    replace_file(file(plan.runs[0], damaged), bytes);
    Witness witness;
    const SweepResult result = run(plan, witness);
    EXPECT_EQ(result.unwritten, 1) << damaged;
    EXPECT_EQ(result.done, 1);
    EXPECT_EQ(result.exit_code(), 3);
    EXPECT_EQ(witness.statuses[plan.runs[0].id], "failed");
    EXPECT_PRED_FORMAT2(IsSubstring, file(plan.runs[0], damaged).string(), witness.messages[plan.runs[0].id]);
    EXPECT_EQ(read_file(file(plan.runs[0], damaged)), bytes) << "left for whoever wants to save it";
    EXPECT_EQ(index()[plan.runs[0].id].first, "failed");
    EXPECT_EQ(index()[plan.runs[1].id].first, "done");
  }
}

TEST_F(SweepFiles, WhereNothingCanBeWrittenEveryRunSaysSo) {
  options_.out = write("occupied", "a file where a directory should be");
  const config::Plan plan = this->plan();
  Witness witness;
  const SweepResult result = run(plan, witness);
  EXPECT_EQ(result.unwritten, 2);
  EXPECT_EQ(result.exit_code(), 3);
  EXPECT_PRED_FORMAT2(IsSubstring,
                      directory_of(plan.runs[0]).string() + ": the run's directory cannot be made: Not a directory; choose",
                      witness.messages[plan.runs[0].id]);
}

TEST_F(SweepFiles, NothingIsTrainedIfOneRunCannotBe) {
  const config::Plan decoder = this->plan(), encoder = this->plan("{kind: encoder, layers: 1, heads: 2, width: 8}");
  Witness witness;
  EXPECT_THROW(run_sweep({decoder, encoder}, options_, witness), UsageError);
  const config::Plan missing = config::parse_plan(toy::config_text((directory_ / "kjv.txt").string()), "toy");
  EXPECT_THROW(run_sweep({decoder, missing}, options_, witness), FileError);
  EXPECT_TRUE(witness.began.empty());
  EXPECT_FALSE(fs::exists(options_.out));
}

TEST(SweepResult, InterruptionOutweighsFilesAndFilesOutweighFailures) {
  EXPECT_EQ((SweepResult{.done = 2, .skipped = 1}).exit_code(), 0);
  EXPECT_EQ((SweepResult{.done = 2, .diverged = 1}).exit_code(), 1);
  EXPECT_EQ((SweepResult{.done = 2, .failed = 1}).exit_code(), 1);
  EXPECT_EQ((SweepResult{.failed = 1, .unwritten = 1}).exit_code(), 3);
  EXPECT_EQ((SweepResult{.unwritten = 1, .interrupted = 1}).exit_code(), 130);
}

}  // namespace
}  // namespace ropewalk
