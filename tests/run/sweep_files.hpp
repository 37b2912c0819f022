// Sweeps of small runs in a directory of their own.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/record/checkpoint.hpp"
#include "experiments/record/hdf5.hpp"
#include "experiments/record/run_record.hpp"
#include "experiments/run/run.hpp"
#include "experiments/run/sweep.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk::toy {

/// Remembers what it was told; may do something at a moment of a run.
class Witness final : public Observer {
 public:
  void planned(std::size_t count) override { runs = count; }
  void begun(const std::string& id, Index step) override {
    const std::lock_guard lock(mutex_);
    began[id] = step;
  }
  void held(const std::string& id) override {
    const std::lock_guard lock(mutex_);
    held_runs.insert(id);
  }
  void moved(const RunProgress& progress) override {
    if (at_progress) at_progress(progress);
  }
  void skipped(const std::string& id, const std::string&, const std::string&) override {
    const std::lock_guard lock(mutex_);
    skips.insert(id);
  }
  void ended(const std::string& id, const std::string& status, const std::string& message) override {
    const std::lock_guard lock(mutex_);
    statuses[id] = status;
    messages[id] = message;
  }

  std::size_t runs = 0;                ///< that were planned
  std::map<std::string, Index> began;  ///< step at which a run began
  std::set<std::string> skips, held_runs;
  std::map<std::string, std::string> statuses, messages;
  std::function<void(const RunProgress&)> at_progress;

 private:
  std::mutex mutex_;
};

/// What survives a run, byte by byte.
struct Outcome {
  std::vector<std::vector<float>> parameters, moments;
  std::vector<double> train_loss, loss;
  bool operator==(const Outcome&) const = default;
};

class SweepFiles : public InDirectory {
 protected:
  SweepFiles() {
    options_.out = directory_ / "results";
    options_.threads = 2;
  }

  config::Plan plan(const std::string& model = "{layers: 1, heads: 2, width: 8}", const std::string& train = "steps: 12",
                    const std::string& more = "sweep: {seeds: 2}") const {
    return config::parse_plan(config_text(text_.string(), model, train, more), "toy");
  }

  SweepResult run(const config::Plan& plan, Observer& observer) { return run_sweep({plan}, options_, observer); }

  std::filesystem::path directory_of(const config::RunConfig& run) const { return options_.out / "toy" / run.id; }
  std::filesystem::path file(const config::RunConfig& run, const char* name) const { return directory_of(run) / name; }

  /// Status and step of each run, as the index has them.
  std::map<std::string, std::pair<std::string, Index>> index() const {
    const hdf5::Reader file(options_.out / "toy" / "index.h5");
    const auto ids = file.read<std::string>("/runs/id"), statuses = file.read<std::string>("/runs/status");
    const auto steps = file.read<std::int64_t>("/runs/step");
    std::map<std::string, std::pair<std::string, Index>> rows;
    for (std::size_t i = 0; i < ids.size(); ++i) rows[ids[i]] = {statuses[i], steps[i]};
    return rows;
  }

  Outcome outcome(const config::RunConfig& run) const {
    const Checkpoint checkpoint = read_checkpoint(file(run, "checkpoint.h5"));
    const RunRecord record = read_run(file(run, "run.h5"));
    EXPECT_EQ(record.status, "done");
    Outcome outcome{{}, {}, record.train.loss, record.evaluate.loss};
    for (const NamedArray& array : checkpoint.parameters) outcome.parameters.push_back(array.values);
    for (const NamedArray& array : checkpoint.second_moment) outcome.moments.push_back(array.values);
    return outcome;
  }

  /// Trains for `steps` steps and is then stopped by an error of the observer, with a save after every step: all the files of a
  /// run that was stopped half-way.
  void interrupt_at(const config::RunConfig& run, Index steps) {
    Witness witness;
    witness.at_progress = [&](const RunProgress& progress) {
      if (progress.step > steps) throw std::runtime_error("stopped");
    };
    Crew crew(0);
    std::filesystem::create_directories(directory_of(run));
    EXPECT_THROW(execute_run(run, directory_of(run), {crew, witness, 0}, {}), std::runtime_error);
    ASSERT_EQ(read_checkpoint(file(run, "checkpoint.h5")).step, steps);
  }

  std::filesystem::path text_ = write("text.txt", text(6000));
  SweepOptions options_;
};

}  // namespace ropewalk::toy
