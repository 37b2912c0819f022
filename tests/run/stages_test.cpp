// Later stages, and runs that start from others.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "experiments/errors.hpp"
#include "experiments/run/changed_run.hpp"
#include "experiments/run/run_lock.hpp"
#include "experiments/run/text_task.hpp"
#include "experiments/run/trained_evaluation.hpp"
#include "experiments/run/trainer.hpp"
#include "tests/run/sweep_files.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;
using toy::Outcome;
using toy::Witness;
namespace fs = std::filesystem;

constexpr const char* model = "{layers: 1, heads: 2, width: 8, dropout: 0.1, position: {kind: rope}}";
constexpr const char* second = "stages: [{length: 32, steps: 7, rate: 1e-3, position: {scaling: {kind: yarn, factor: 2}}}]";

class Stages : public toy::SweepFiles {
 protected:
  config::Plan staged(const std::string& more = "") const {
    return plan(model, std::string("steps: 12, ") + second, more.empty() ? "sweep: {}" : more);
  }

  static std::string error_of(const std::function<void()>& body) {
    try {
      body();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  Witness witness_;
};

TEST_F(Stages, AreTrainedOneAfterAnotherAndLabelled) {
  const config::Plan plan = staged();
  const SweepResult result = run(plan, witness_);
  EXPECT_EQ(result.done, 2);
  EXPECT_EQ(result.exit_code(), 0);
  const RunRecord first = read_run(file(plan.runs[0], "run.h5")), all = read_run(file(plan.runs[1], "run.h5"));
  EXPECT_EQ(all.train.step, (std::vector<std::int64_t>{5, 10, 12, 15, 19}));
  EXPECT_EQ(all.train.stage, (std::vector<std::int64_t>{1, 1, 1, 2, 2}));
  EXPECT_EQ(all.train.tokens.back(), (12 * 16 + 7 * 32) * 6);
  EXPECT_EQ(all.evaluate.step, (std::vector<std::int64_t>{12, 19}));
  EXPECT_EQ(all.evaluate.stage, (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(std::equal(first.evaluate.loss.begin(), first.evaluate.loss.end(), all.evaluate.loss.begin()));
  EXPECT_NE(all.evaluate.loss[0], all.evaluate.loss[2]);
  EXPECT_LE(all.train.rate.back(), 1e-3) << "the rate and the schedule are the stage's own";
  EXPECT_GE(all.train.seconds.back(), first.train.seconds.back());
  EXPECT_EQ(all.start, "run " + plan.runs[0].id + " at step 12");
  EXPECT_EQ(first.start, "");
  EXPECT_EQ(run(plan, witness_).skipped, 2);
}

TEST_F(Stages, ASecondStageIsATrainingFromTheFirstOnesParameters) {
  const config::Plan plan = staged();
  run(plan, witness_);
  const config::Settings& settings = plan.runs[1].settings;
  Crew crew(0);
  Trainer trainer(settings, corpus_of(settings), crew, std::make_shared<Meter>(), alone(), 12);
  trainer.start_from(read_checkpoint(file(plan.runs[0], "checkpoint.h5")), true);
  EXPECT_EQ(trainer.steps_done(), 12);
  for (int step = 0; step < 7; ++step) trainer.step();
  const Checkpoint expected = trainer.save(), found = read_checkpoint(file(plan.runs[1], "checkpoint.h5"));
  EXPECT_EQ(found.step, 19);
  ASSERT_EQ(found.parameters.size(), expected.parameters.size());
  for (std::size_t i = 0; i < found.parameters.size(); ++i) {
    EXPECT_EQ(found.parameters[i].values, expected.parameters[i].values) << found.parameters[i].name;
    EXPECT_EQ(found.second_moment[i].values, expected.second_moment[i].values) << found.parameters[i].name;
  }
}

TEST_F(Stages, AStageIsTrainedOnceForAllThatShareIt) {
  const config::Plan plan = staged("sweep: {grid: {'train.stages[0].steps': [5, 6, 7]}}");
  ASSERT_EQ(plan.runs.size(), 4u);
  options_.jobs = 2;
  EXPECT_EQ(run(plan, witness_).done, 4);
  EXPECT_EQ(witness_.began.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_EQ(read_run(file(plan.runs[i], "run.h5")).start, "run " + plan.runs[0].id + " at step 12");
}

TEST_F(Stages, StoppedAtAnyStepEndWithTheSameBits) {
  const config::Plan plan = staged();
  run(plan, witness_);
  const Outcome expected = outcome(plan.runs[1]);
  for (const Index step : {13, 15, 18}) {
    fs::remove_all(directory_of(plan.runs[1]));
    interrupt_at(plan.runs[1], step);
    EXPECT_EQ(run(plan, witness_).done, 1);
    EXPECT_EQ(witness_.began.at(plan.runs[1].id), step);
    EXPECT_EQ(outcome(plan.runs[1]), expected) << step;
    EXPECT_EQ(read_run(file(plan.runs[1], "run.h5")).train.stage, (std::vector<std::int64_t>{1, 1, 1, 2, 2}));
  }
}

TEST_F(Stages, WaitForAFirstStageThatAnotherProcessHas) {
  const config::Plan plan = staged();
  fs::create_directories(options_.out / "toy");
  std::optional<RunLock> other = RunLock::take(options_.out / "toy", plan.runs[0].id);
  ASSERT_TRUE(other);
  std::thread ending([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_TRUE(witness_.began.empty());
    other.reset();
  });
  const SweepResult result = run(plan, witness_);
  ending.join();
  EXPECT_EQ(result.done, 2);
  EXPECT_EQ(result.elsewhere, 0);
  EXPECT_EQ(witness_.held_runs, std::set<std::string>{plan.runs[0].id});
}

TEST_F(Stages, DoNotBeginAfterAFirstOneThatFailed) {
  const auto alike = [&] { return plan(model, "steps: 12, stages: [{steps: 7}]", "sweep: {}"); };
  config::Plan plan = alike();
  plan.runs[0].settings.model.heads = 3;
  const SweepResult result = run(plan, witness_);
  EXPECT_EQ(result.failed, 1);
  EXPECT_EQ(result.waiting, 1);
  EXPECT_EQ(result.exit_code(), 1);
  EXPECT_TRUE(witness_.skips.contains(plan.runs[1].id));
  EXPECT_FALSE(fs::exists(directory_of(plan.runs[1])));
  options_.retry_failed = true;
  EXPECT_EQ(run(alike(), witness_).done, 2);
}

TEST_F(Stages, ARunThatIsChosenBringsTheOneItStartsFrom) {
  const config::Plan plan = staged("sweep: {seeds: 2}");
  ASSERT_EQ(plan.runs.size(), 4u);
  options_.filter.only = {"*seed-1-stage-2*"};
  EXPECT_EQ(run(plan, witness_).done, 2);
  EXPECT_TRUE(fs::exists(directory_of(plan.runs[2])));
  EXPECT_FALSE(fs::exists(directory_of(plan.runs[0])));
}

TEST_F(Stages, AnEvaluationAfterwardsIsThatOfTheLastStage) {
  const config::Plan plan = staged();
  run(plan, witness_);
  const TrainedRun trained = read_trained_run(directory_of(plan.runs[1]));
  Crew crew(0);
  const auto found = evaluate_trained(trained, changed_config(trained, {}, Use::evaluation), crew);
  ASSERT_TRUE(found);
  const std::vector<double> recorded = read_run(file(plan.runs[1], "run.h5")).evaluate.loss;
  EXPECT_EQ(found->evaluate.loss, std::vector<double>(recorded.begin() + 2, recorded.end()));
  EXPECT_EQ(found->evaluate.stage, (std::vector<std::int64_t>{2}));
  const auto changed = changed_config(trained, {"model.position.scaling.factor=4"}, Use::evaluation);
  EXPECT_EQ(changed.settings.train.length, 32);
  EXPECT_EQ(changed.settings.model.position.kind(), "rope");
}

TEST_F(Stages, AnotherSchemeStartsWithParametersOfItsOwn) {
  const auto with = [&](const std::string& from, const std::string& to) {
    return plan("{layers: 1, heads: 2, width: 8, position: {kind: " + from + "}}",
                "steps: 4, stages: [{steps: 3, position: {kind: " + to + "}}]", "sweep: {}");
  };
  for (const auto& [from, to] : {std::pair("none", "fire"), {"fire", "none"}, {"learned, max_length: 40", "rope"}}) {
    const config::Plan plan = with(from, to);
    EXPECT_EQ(run(plan, witness_).exit_code(), 0) << from << " to " << to;
    EXPECT_EQ(read_run(file(plan.runs.back(), "run.h5")).status, "done");
  }
  const std::string error = error_of([&] { run(with("learned, max_length: 40", "learned, max_length: 50"), witness_); });
  EXPECT_EQ(error,
            "train.stages[0].position: the parameters of the stage before do not go with this model: expected position.table "
            "[50, 8], got [40, 8]");
}

TEST_F(Stages, OneThatHasBegunNeedsItsStartNoMore) {
  const config::Plan plan = staged();
  run(plan, witness_);
  const Outcome expected = outcome(plan.runs[1]);
  fs::remove_all(directory_of(plan.runs[1]));
  interrupt_at(plan.runs[1], 15);
  std::ofstream(file(plan.runs[0], "run.h5")) << "damaged";
  const SweepResult result = run(plan, witness_);
  EXPECT_EQ(result.done, 1);
  EXPECT_EQ(result.unwritten, 1) << "the first stage itself cannot be read";
  EXPECT_EQ(outcome(plan.runs[1]), expected);
  EXPECT_EQ(run(plan, witness_).skipped, 1);
}

TEST_F(Stages, TrainingDoesNotStopWhereTheIndexCannotBeWritten) {
  const config::Plan plan = staged();
  fs::create_directories(options_.out / "toy" / "index.h5" / "in the way");
  const SweepResult result = run(plan, witness_);
  EXPECT_EQ(result.done, 2);
  EXPECT_EQ(result.exit_code(), 3);
  EXPECT_PRED_FORMAT2(IsSubstring, "move the directory of that name away", witness_.messages["index.h5"]);
}

class StartFrom : public Stages {
 protected:
  config::Plan first() const { return plan(model, "steps: 12", "sweep: {}"); }
  config::Plan from(const fs::path& run, const std::string& train = "steps: 5") const {
    return plan(model, train + ", from: '" + run.string() + "'", "seed: 3\nsweep: {}");
  }
};

TEST_F(StartFrom, TakesTheParametersOfTheOtherRunAndNothingElse) {
  const config::Plan plan = first();
  run(plan, witness_);
  const config::Plan next = from(directory_of(plan.runs[0]));
  EXPECT_EQ(run(next, witness_).done, 1);
  const RunRecord record = read_run(file(next.runs[0], "run.h5"));
  EXPECT_EQ(record.train.step, (std::vector<std::int64_t>{5}));
  EXPECT_EQ(record.train.tokens.back(), 5 * 16 * 6);
  EXPECT_EQ(record.start, "run " + plan.runs[0].id + " at step 12");
  const config::Settings& settings = next.runs[0].settings;
  Crew crew(0);
  Trainer trainer(settings, corpus_of(settings), crew, std::make_shared<Meter>());
  trainer.start_from(read_checkpoint(file(plan.runs[0], "checkpoint.h5")), true);
  for (int step = 0; step < 5; ++step) trainer.step();
  EXPECT_EQ(outcome(next.runs[0]).parameters.front(), trainer.save().parameters.front().values);
}

TEST_F(StartFrom, IsRefusedWhereItCannotBeBeforeAnythingRuns) {
  const fs::path nowhere = directory_ / "nowhere";
  EXPECT_EQ(error_of([&] { run(from(nowhere), witness_); }),
            "train.from: " + nowhere.string() +
                ": expected the directory of a run that is done, found no run.h5 there; name one such as results/<name>/<run>");
  const config::Plan plan = first();
  interrupt_at(plan.runs[0], 6);
  EXPECT_PRED_FORMAT2(IsSubstring, "expected a run that is done, got one that is running",
                      error_of([&] { run(from(directory_of(plan.runs[0])), witness_); }));
  run(plan, witness_);
  config::Plan other = from(directory_of(plan.runs[0]));
  other.runs[0].settings.model.hidden = 24;
  EXPECT_PRED_FORMAT2(IsSubstring, "do not go with this model: expected blocks.0.mlp.up.weight [24, 8], got [32, 8]",
                      error_of([&] { run(other, witness_); }));
  EXPECT_FALSE(fs::exists(directory_of(other.runs[0])));
}

TEST_F(StartFrom, IsRefusedForAnotherFunctionOfTheSameParameters) {
  const config::Plan plan = first();
  run(plan, witness_);
  const auto with = [&](const std::string& set) {
    return config::parse_plan(from(directory_of(plan.runs[0])).runs[0].yaml, "toy", {set});
  };
  EXPECT_PRED_FORMAT2(IsSubstring, "model.heads: expected 2, as that run was trained, got 4",
                      error_of([&] { run(with("model.heads=4"), witness_); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "model.activation: expected gelu, as that run was trained, got relu",
                      error_of([&] { run(with("model.activation=relu"), witness_); }));
}

TEST_F(StartFrom, WhatIsDoneStaysDoneWhateverBecomesOfItsStart) {
  const config::Plan plan = first();
  run(plan, witness_);
  const config::Plan next = from(directory_of(plan.runs[0]));
  run(next, witness_);
  std::ofstream(file(plan.runs[0], "checkpoint.h5")) << "damaged";
  EXPECT_EQ(run(next, witness_).skipped, 1);
  const config::Plan third = from(directory_of(plan.runs[0]), "steps: 6");
  EXPECT_PRED_FORMAT2(IsSubstring, "the run's parameters are lost: restore the file, or move the run's directory away",
                      error_of([&] { run(third, witness_); }));
}

TEST_F(StartFrom, OneDirectoryIsOneRunHoweverItIsWritten) {
  const auto id = [&](const std::string& path) { return from(path).runs[0].id; };
  for (const char* path : {"./a/b", "a/b/", "a/./b", "a/c/../b"}) EXPECT_EQ(id(path), id("a/b")) << path;
}

TEST_F(StartFrom, AnotherRunInItsPlaceIsNoticed) {
  const config::Plan plan = first();
  run(plan, witness_);
  const fs::path place = directory_ / "start";
  fs::copy(directory_of(plan.runs[0]), place);
  const config::Plan next = from(place);
  run(next, witness_);
  const config::Plan other = this->plan(model, "steps: 11", "sweep: {}");
  run(other, witness_);
  fs::remove_all(place);
  EXPECT_EQ(run(next, witness_).skipped, 1) << "what is done needs its start no more";
  fs::copy(directory_of(other.runs[0]), place);
  EXPECT_EQ(run(next, witness_).exit_code(), 3);
  EXPECT_PRED_FORMAT2(IsSubstring, "another run is where the one was that it started from", witness_.messages[next.runs[0].id]);
}

}  // namespace
}  // namespace ropewalk
