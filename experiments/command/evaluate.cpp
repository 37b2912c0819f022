#include "experiments/command/evaluate.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <thread>

#include "experiments/command/evaluation_table.hpp"
#include "experiments/command/output_file.hpp"
#include "experiments/command/standard_output.hpp"
#include "experiments/errors.hpp"
#include "experiments/run/interrupt.hpp"
#include "experiments/run/trained_evaluation.hpp"

namespace ropewalk {
namespace {

/// The share that is done, on a terminal; the table itself goes to the standard output.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (shown_ >= 0) fmt::print(stderr, "\r\x1b[K");
  }

  void show(double share) {
    const int percent = static_cast<int>(100 * share);
    if (!terminal_ || percent == shown_) return;
    shown_ = percent;
    fmt::print(stderr, "\revaluating, {} %", percent);
    std::fflush(stderr);
  }

 private:
  const bool terminal_ = isatty(STDERR_FILENO) != 0;
  int shown_ = -1;
};

std::optional<EvaluationRecord> evaluate(const TrainedRun& run, const config::RunConfig& changed, int threads) {
  Crew crew((threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) - 1);
  ProgressLine line;
  return evaluate_trained(run, changed, crew, [&](double share) {
    line.show(share);
    return !interrupted();
  });
}

/// Whether every loss of what was scored is a number.
bool finite(const EvaluateSeries& series) {
  for (std::size_t i = 0; i < series.loss.size(); ++i) {
    if (series.scored[i] > 0 && !std::isfinite(series.loss[i])) return false;
  }
  return true;
}

}  // namespace

int evaluate_run(const EvaluateArguments& arguments) {
  if (!arguments.out.empty()) expect_replaceable(arguments.out, "--out", "ropewalk-evaluation");
  const TrainedRun run = read_trained_run(arguments.run);
  const config::RunConfig changed = changed_config(run, arguments.sets, Use::evaluation);
  catch_interrupts();
  const std::optional<EvaluationRecord> record = evaluate(run, changed, arguments.threads);
  if (!record) {
    fmt::print(stderr, "interrupted; nothing is written\n");
    return 130;
  }
  const std::string text = fmt::format("{}: step {} of {}, {}\n{}", record->run_id, record->step, run.config.steps(),
                                       record->run_status, evaluation_table(record->evaluate));
  if (!arguments.out.empty()) {
    try {
      write_evaluation(arguments.out, *record);
    } catch (const FileError&) {
      write_out(text);  // what took long to measure is not lost with the file
      throw;
    }
  }
  write_out(text);
  if (finite(record->evaluate)) return 0;
  fmt::print(stderr, "{}: the loss is not a number at some length: the model is broken\n", record->run_id);
  return 1;
}

}  // namespace ropewalk
