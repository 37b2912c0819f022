#include "experiments/record/run_record.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/record/file.hpp"
#include "experiments/record/hdf5.hpp"
#include "tests/record/sample.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;

class RunFile : public InDirectory {
 protected:
  RunRecord written_and_read(const RunRecord& run) const {
    write_run(path_, run);
    return read_run(path_);
  }

  std::filesystem::path path_ = directory_ / "run.h5";
};

void expect_same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << i;
}

void expect_same(const TrainSeries& a, const TrainSeries& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.stage, b.stage);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.rate, b.rate);
  EXPECT_EQ(a.gradient_norm, b.gradient_norm);
  EXPECT_EQ(a.seconds, b.seconds);
}

void expect_same(const AttentionMeans& a, const AttentionMeans& b) {
  EXPECT_EQ(a.layer, b.layer);
  EXPECT_EQ(a.head, b.head);
  EXPECT_EQ(a.length, b.length);
  expect_same_numbers(a.entropy, b.entropy);
  expect_same_numbers(a.mean_distance, b.mean_distance);
}

void expect_same(const EvaluateSeries& a, const EvaluateSeries& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.stage, b.stage);
  EXPECT_EQ(a.protocol, b.protocol);
  EXPECT_EQ(a.length, b.length);
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.perplexity, b.perplexity);
  EXPECT_EQ(a.token_accuracy, b.token_accuracy);
  EXPECT_EQ(a.scored, b.scored);
  EXPECT_EQ(a.bits_per_byte, b.bits_per_byte);
  ASSERT_EQ(a.position.has_value(), b.position.has_value());
  if (a.position) {
    expect_same_numbers(a.position->loss, b.position->loss);
    EXPECT_EQ(a.position->count, b.position->count);
  }
  ASSERT_EQ(a.attention.has_value(), b.attention.has_value());
  if (a.attention) expect_same(*a.attention, *b.attention);
}

void expect_same(const RunRecord& a, const RunRecord& b) {
  EXPECT_EQ(a.run_id, b.run_id);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.config, b.config);
  EXPECT_EQ(a.software, b.software);
  EXPECT_EQ(a.machine, b.machine);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.environment, b.environment);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.tags, b.tags);
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.data, b.data);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.started, b.started);
  EXPECT_EQ(a.finished, b.finished);
  EXPECT_EQ(a.peak_bytes, b.peak_bytes);
  EXPECT_EQ(a.rotary, b.rotary);
  expect_same(a.train, b.train);
  expect_same(a.evaluate, b.evaluate);
}

TEST_F(RunFile, ReadsBackWhatWasWritten) { expect_same(written_and_read(sample_run()), sample_run()); }

TEST_F(RunFile, EqualRunsGiveEqualBytes) {
  write_run(path_, sample_run());
  const std::string first = read_file(path_);
  write_run(path_, sample_run());
  EXPECT_EQ(read_file(path_), first);
}

TEST_F(RunFile, ARunThatHasJustBegunIsValid) {
  RunRecord run{.run_id = "a",
                .config = "b",
                .software = "c",
                .machine = "d",
                .data = "",
                .started = "e",
                .finished = "",
                .train = {},
                .evaluate = {}};
  expect_same(written_and_read(run), run);
  run.evaluate.protocol = {"nonoverlapping"};
  run.evaluate.length = {64, 128};
  run.evaluate.bits_per_byte.emplace();
  expect_same(written_and_read(run), run);
  EXPECT_EQ(hdf5::Reader(path_).shape("/evaluate/loss"), (Shape{0, 1, 2}));
}

TEST_F(RunFile, HasTheShapesAndLabelsOfTheContract) {
  write_run(path_, sample_run());
  const hdf5::Reader file(path_);
  EXPECT_EQ(file.attribute<std::string>("/", "format"), "ropewalk-run");
  EXPECT_EQ(file.attribute<std::int64_t>("/", "format_version"), 1);
  EXPECT_EQ(file.shape("/train/loss"), (Shape{3}));
  EXPECT_EQ(file.shape("/evaluate/perplexity"), (Shape{2, 2, 3}));
  EXPECT_EQ(file.shape("/evaluate/position_loss"), (Shape{3, 4}));
  EXPECT_EQ(file.shape("/attention/entropy"), (Shape{1, 2, 3}));
  EXPECT_EQ(file.shape("/attention/mean_distance"), (Shape{1, 2, 3}));
  EXPECT_EQ(file.attribute<std::string>("/attention/entropy", "units"), "nats");
  EXPECT_EQ(file.attribute<std::string>("/attention/mean_distance", "units"), "tokens");
  for (const char* group : {"/train", "/evaluate", "/attention"}) {
    for (const std::string& member : file.members(group)) {
      const std::string path = std::string(group) + "/" + member;
      EXPECT_NE(file.attribute<std::string>(path, "units"), "") << path;
      EXPECT_NE(file.attribute<std::string>(path, "long_name"), "") << path;
    }
  }
}

TEST_F(RunFile, TasksWithoutBytesHaveNoBitsPerByte) {
  RunRecord run = sample_run();
  run.evaluate.bits_per_byte.reset();
  expect_same(written_and_read(run), run);
  EXPECT_FALSE(hdf5::Reader(path_).has("/evaluate/bits_per_byte"));
}

TEST_F(RunFile, WithoutAttentionThereIsNoGroupOfIt) {
  RunRecord run = sample_run();
  run.evaluate.attention.reset();
  expect_same(written_and_read(run), run);
  EXPECT_FALSE(hdf5::Reader(path_).has("/attention"));
}

TEST_F(RunFile, TruncationCutsBackToACheckpoint) {
  RunRecord run = sample_run();
  run.truncate_to(25);
  EXPECT_EQ(run.train.step, (std::vector<std::int64_t>{10, 20}));
  EXPECT_EQ(run.train.seconds, (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(run.evaluate.step, (std::vector<std::int64_t>{20}));
  EXPECT_EQ(run.evaluate.loss, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(run.evaluate.bits_per_byte->size(), 6u);
  EXPECT_FALSE(run.evaluate.position.has_value());
  EXPECT_FALSE(run.evaluate.attention.has_value());
  expect_same(written_and_read(run), run);
}

TEST_F(RunFile, TruncationToTheLastStepChangesNothing) {
  RunRecord run = sample_run();
  run.truncate_to(30);
  expect_same(run, sample_run());
}

TEST_F(RunFile, TruncationToTheStartForgetsEverythingMeasured) {
  RunRecord run = sample_run();
  run.truncate_to(0);
  EXPECT_TRUE(run.train.loss.empty());
  EXPECT_TRUE(run.evaluate.loss.empty());
  EXPECT_EQ(run.evaluate.length, sample_run().evaluate.length);
  expect_same(written_and_read(run), run);
}

TEST_F(RunFile, RefusesASeriesThatDoesNotFitItsScales) {
  RunRecord run = sample_run();
  run.evaluate.scored.pop_back();
  EXPECT_EQ(message_of<Error>([&] { write_run(path_, run); }),
            "hdf5: /evaluate/scored: expected 12 values for shape [2, 2, 3], got 11");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(RunFile, RefusesAnotherFormatOrVersion) {
  write_checkpoint(path_, sample_checkpoint());
  EXPECT_EQ(message_of([&] { read_run(path_); }), path_.string() + ": expected format 'ropewalk-run', got 'ropewalk-checkpoint'");
  hdf5::Writer file(path_);
  file.attribute("/", "format", "ropewalk-run");
  file.attribute("/", "format_version", std::int64_t{2});
  file.save();
  EXPECT_EQ(message_of([&] { read_run(path_); }), path_.string() +
                                                      ": expected version 1 of format 'ropewalk-run', got 2; use the "
                                                      "version of ropewalk that wrote it");
}

TEST_F(RunFile, RefusesAFileWithoutItsParts) {
  hdf5::Writer file(path_);
  file.attribute("/", "format", "ropewalk-run");
  file.attribute("/", "format_version", std::int64_t{1});
  file.save();
  EXPECT_PRED_FORMAT2(IsSubstring, "/ @run_id: cannot open", message_of([&] { read_run(path_); }));
}

TEST_F(RunFile, AnEvaluationOfATrainedRunReadsBackAndIsNoRun) {
  EvaluationRecord written;
  written.run = "/results/toy/rope";
  written.run_id = "rope-1";
  written.run_status = "done";
  written.step = 20;
  written.config = "seed: 0\n";
  written.software = "ropewalk";
  written.machine = "a machine";
  written.data = "3 bytes";
  written.parameters = 7;
  written.evaluated = "2026-01-31T12:00:00Z";
  written.peak_bytes = 28;
  written.evaluate = sample_run().evaluate;
  write_evaluation(path_, written);
  const EvaluationRecord found = read_evaluation(path_);
  EXPECT_EQ(found.run, written.run);
  EXPECT_EQ(found.run_id, written.run_id);
  EXPECT_EQ(found.run_status, written.run_status);
  EXPECT_EQ(found.step, written.step);
  EXPECT_EQ(found.config, written.config);
  EXPECT_EQ(found.software, written.software);
  EXPECT_EQ(found.machine, written.machine);
  EXPECT_EQ(found.data, written.data);
  EXPECT_EQ(found.parameters, written.parameters);
  EXPECT_EQ(found.evaluated, written.evaluated);
  EXPECT_EQ(found.peak_bytes, written.peak_bytes);
  expect_same(found.evaluate, written.evaluate);
  EXPECT_PRED_FORMAT2(IsSubstring, "expected format 'ropewalk-run', got 'ropewalk-evaluation'",
                      message_of([&] { read_run(path_); }));
}

}  // namespace
}  // namespace ropewalk
