#include "experiments/run/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "experiments/errors.hpp"
#include "experiments/record/checkpoint.hpp"
#include "experiments/record/file.hpp"
#include "experiments/run/environment.hpp"
#include "experiments/run/evaluation.hpp"
#include "experiments/run/interrupt.hpp"
#include "experiments/run/rotary_facts.hpp"
#include "experiments/run/run_log.hpp"
#include "experiments/run/start.hpp"
#include "experiments/run/text_task.hpp"
#include "experiments/run/trainer.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

fs::path record_path(const fs::path& directory) { return directory / "run.h5"; }
fs::path checkpoint_path(const fs::path& directory) { return directory / "checkpoint.h5"; }

void expect_config(const config::RunConfig& config, const std::string& found, const fs::path& file) {
  if (found == config.yaml) return;
  throw FileError(fmt::format("{}: expected the run {}, got one of another config; move its directory away to train this one",
                              file.string(), config.id));
}

/// A text that was changed under its name would give another run under the same id.
void expect_text(const config::RunConfig& config, const RunRecord& record, const fs::path& file) {
  const std::string& text = corpus_of(config.settings)->fingerprint;
  if (record.data.empty() || record.data == text) return;
  throw FileError(
      fmt::format("{}: the text has changed: expected {}, as it was when the run began, got {}; restore it, or move the "
                  "run's directory away to train on the new one",
                  file.string(), record.data, text));
}

/// So would another run in the place of the one it started from.
void expect_start_of(const config::RunConfig& config, const RunRecord& record, const fs::path& file) {
  const std::string now = start_now(config);
  if (record.start.empty() || now.empty() || record.start == now) return;
  throw FileError(
      fmt::format("{}: another run is where the one was that it started from: expected {}, got {}; restore it in {}, or "
                  "move the run's directory away to start from the new one",
                  file.string(), record.start, now, config.settings.train.from));
}

RunRecord new_record(const config::RunConfig& config) {
  RunRecord record;
  record.run_id = config.id;
  record.config = config.yaml;
  record.software = software_description();
  record.machine = machine_description();
  record.data = corpus_of(config.settings)->fingerprint;
  record.steps = config.steps();
  record.started = utc_now();
  record.evaluate.protocol = config.settings.evaluate.protocols;
  record.evaluate.length = config.settings.evaluate.lengths;
  record.evaluate.bits_per_byte.emplace();
  record.rotary =
      rotary_facts(config.settings.model, config.settings.train.length, std::ranges::max(config.settings.evaluate.lengths));
  return record;
}

/// What may have changed since the run was taken up before.
void describe_experiment(RunRecord& record, const config::Experiment& experiment) {
  record.tags = experiment.tags;
  record.notes = experiment.notes;
}

/// A run between its first and its last step.
class Execution {
 public:
  Execution(const config::RunConfig& config, const fs::path& directory, const Workplace& workplace,
            const config::Experiment& experiment)
      : config_(config),
        directory_(directory),
        workplace_(workplace),
        log_(directory / "log.txt"),
        corpus_(corpus_of(config.settings)),
        trainer_(config.settings, corpus_, workplace.crew, meter_, workplace.ranks, config.steps_before),
        record_(new_record(config)),
        experiment_(experiment) {
    record_.parameters = trainer_.model().parameter_count();
  }

  RunState run() {
    const bool resumed = fs::exists(checkpoint_path(directory_));
    if (resumed) {
      resume();
    } else {
      begin();
    }
    describe_experiment(record_, experiment_);
    record_.environment = environment();
    saved_ = Clock::now() - since_a_save();
    first_step_ = trainer_.steps_done();
    workplace_.observer.begun(config_.id, resumed ? first_step_ : 0);
    write_run(record_path(directory_), record_);
    while (true) {
      if (evaluation_is_due() && !evaluate()) return stop("interrupted");
      if (trainer_.steps_done() == steps()) return evaluated_finitely() ? stop("done") : diverge(steps(), "an evaluated loss is");
      if (interrupted()) return stop("interrupted");
      if (!step()) return diverge(trainer_.steps_done() + 1, "the loss or its gradient is");
      if (seconds_since(saved_) >= workplace_.save_seconds) save();
    }
  }

 private:
  Index steps() const { return config_.steps(); }

  /// As if one had been made before the run: the first comes early, so that `status` soon has something to say.
  Clock::duration since_a_save() const {
    constexpr double first_save = 1;  // s
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::max(0.0, workplace_.save_seconds - first_save)));
  }

  /// A later stage goes on with what was measured before it.
  void begin() {
    std::optional<Start> start = start_of(config_, directory_);
    log_.say(start ? "begun from " + start->name : "begun");
    if (!start) return;
    trainer_.start_from(start->checkpoint, start->same_scheme);
    record_.start = start->name;
    if (config_.stage == 1) return;
    record_.train = std::move(start->record.train);
    record_.evaluate = std::move(start->record.evaluate);
    seconds_ = start->checkpoint.seconds;
  }

  void resume() {
    const Checkpoint checkpoint = read_checkpoint(checkpoint_path(directory_));
    expect_config(config_, checkpoint.config, checkpoint_path(directory_));
    trainer_.restore(checkpoint);
    seconds_ = checkpoint.seconds;
    if (!fs::exists(record_path(directory_))) {
      throw FileError(
          fmt::format("{}: expected the metrics of the checkpoint beside it, found nothing; remove checkpoint.h5 to train "
                      "the run anew",
                      record_path(directory_).string()));
    }
    record_ = read_run(record_path(directory_));
    record_.truncate_to(checkpoint.step);
    record_.status = "running";
    record_.message.clear();
    record_.finished.clear();
    log_.say(fmt::format("resumed at step {}", checkpoint.step));
  }

  /// False if the loss or the gradient is not finite; the parameters are then those of the step before.
  bool step() {
    const Clock::time_point start = Clock::now();
    const StepResult result = trainer_.step();
    seconds_ += seconds_since(start);
    stepping_ += seconds_since(start);
    const Index done = trainer_.steps_done();
    if (!result.finite || done % config_.settings.record.every == 0 || done == steps()) {
      append(result, result.finite ? done : done + 1);
    }
    report(result.loss);
    return result.finite;
  }

  void append(const StepResult& result, Index step) {
    TrainSeries& train = record_.train;
    train.step.push_back(step);
    train.stage.push_back(config_.stage);
    train.tokens.push_back(trainer_.tokens_seen());
    train.loss.push_back(result.loss);
    train.rate.push_back(result.rate);
    train.gradient_norm.push_back(result.gradient_norm);
    train.seconds.push_back(seconds_);
  }

  /// `evaluated`: the share of an evaluation that is done, if one is under way. Then called from any thread of the crew.
  void report(double loss, std::optional<double> evaluated = {}) {
    loss_ = loss;
    const double steps_here = static_cast<double>(trainer_.steps_done() - first_step_);
    const double per_step = stepping_ / std::max(1.0, steps_here);
    const double tokens = static_cast<double>(config_.settings.train.batch * config_.settings.train.length);
    workplace_.observer.moved({config_.id, trainer_.steps_done(), steps(), loss, tokens / per_step,
                               per_step * static_cast<double>(steps() - trainer_.steps_done()), evaluated});
  }

  /// Also right after resuming: a run may have been stopped before, or during, the evaluation of its step.
  bool evaluation_is_due() const {
    const Index done = trainer_.steps_done(), every = config_.settings.evaluate.every;
    const bool measured = !record_.evaluate.step.empty() && record_.evaluate.step.back() == done;
    return done > 0 && !measured && (done == steps() || (every > 0 && done % every == 0));
  }

  /// False if a stop was asked for on the way: nothing is recorded then, and resuming evaluates again.
  bool evaluate() {
    const Clock::time_point start = Clock::now();
    const EvaluationProgress watch = [this](double share) {
      report(loss_, share);
      return !interrupted();
    };
    const auto scores = trainer_.evaluate(watch);
    if (!scores) return false;
    const bool looks = config_.settings.record.attention && trainer_.steps_done() == steps();
    auto attention = looks ? trainer_.attention(watch) : std::nullopt;
    if (looks && !attention) return false;
    append_evaluation(record_.evaluate, trainer_.steps_done(), config_.stage, *scores);
    record_.evaluate.attention = std::move(attention);
    log_.say(fmt::format("evaluated at step {} in {:.1f} s, positions {}", trainer_.steps_done(), seconds_since(start),
                         trainer_.model().sampler().in_evaluation()));
    return true;
  }

  /// Whether every loss of the last evaluation is a number: no step comes after the last update to show that it broke the model.
  bool evaluated_finitely() const {
    const EvaluateSeries& series = record_.evaluate;
    const std::size_t count = std::min(series.protocol.size() * series.length.size(), series.loss.size());
    for (std::size_t i = series.loss.size() - count; i < series.loss.size(); ++i) {
      if (series.scored[i] > 0 && !std::isfinite(series.loss[i])) return false;
    }
    return true;
  }

  /// Metrics first: what a checkpoint has not seen is cut off again on resuming, so the order loses nothing.
  void save() {
    record_.peak_bytes = std::max(record_.peak_bytes, meter_->peak());
    write_run(record_path(directory_), record_);
    Checkpoint checkpoint = trainer_.save();
    checkpoint.run_id = config_.id;
    checkpoint.config = config_.yaml;
    checkpoint.seconds = seconds_;
    write_checkpoint(checkpoint_path(directory_), checkpoint);
    saved_ = Clock::now();
  }

  RunState diverge(Index step, const char* what) {
    record_.message = fmt::format("{} not finite at step {}", what, step);
    return stop("diverged");
  }

  /// The status changes last, so a run that says it is over has its last checkpoint.
  RunState stop(const std::string& status) {
    save();
    record_.status = status;
    if (is_over(status)) record_.finished = utc_now();
    write_run(record_path(directory_), record_);
    log_.say(fmt::format("{} at step {}", status, trainer_.steps_done()));
    return {status, trainer_.steps_done()};
  }

  const config::RunConfig& config_;
  const fs::path directory_;
  const Workplace& workplace_;
  RunLog log_;
  std::shared_ptr<Meter> meter_ = std::make_shared<Meter>();
  MeterScope charged_{meter_};
  std::shared_ptr<const Corpus> corpus_;
  Trainer trainer_;
  RunRecord record_;
  const config::Experiment& experiment_;
  double seconds_ = 0;   ///< of training, in all
  double stepping_ = 0;  ///< of training, since the program took the run up
  double loss_ = std::numeric_limits<double>::quiet_NaN();
  Index first_step_ = 0;
  Clock::time_point saved_;
};

}  // namespace

RunState state_of(const config::RunConfig& config, const fs::path& directory) {
  const fs::path file = record_path(directory), checkpoint = checkpoint_path(directory);
  if (!fs::exists(file)) return {};
  const RunRecord record = read_run(file);
  expect_config(config, record.config, file);
  expect_text(config, record, file);
  expect_start_of(config, record, file);
  if (record.status == "done") return {"done", config.steps()};
  return {record.status, fs::exists(checkpoint) ? read_checkpoint(checkpoint).step : 0};
}

bool is_over(const std::string& status) { return status == "done" || status == "diverged"; }

bool is_left(const RunState& state, bool retry_failed) {
  return !is_over(state.status) && (state.status != "failed" || retry_failed);
}

RunState execute_run(const config::RunConfig& config, const fs::path& directory, const Workplace& workplace,
                     const config::Experiment& experiment) {
  replace_file(directory / "config.yaml", config.yaml);
  return Execution(config, directory, workplace, experiment).run();
}

void record_failure(const config::RunConfig& config, const fs::path& directory, const std::string& reason,
                    const config::Experiment& experiment) {
  RunRecord record = fs::exists(record_path(directory)) ? read_run(record_path(directory)) : new_record(config);
  describe_experiment(record, experiment);
  record.status = "failed";
  record.message = reason;
  write_run(record_path(directory), record);
  RunLog(directory / "log.txt").say("failed: " + reason);
}

}  // namespace ropewalk
