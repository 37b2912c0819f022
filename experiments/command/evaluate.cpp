#include "experiments/command/evaluate.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <thread>

#include "experiments/command/evaluation_table.hpp"
#include "experiments/command/standard_output.hpp"
#include "experiments/errors.hpp"
#include "experiments/run/interrupt.hpp"
#include "experiments/run/trained_evaluation.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// What can be known before hours of work.
void expect_writable(const fs::path& out) {
  std::error_code error;
  if (belongs_to_a_run(out)) {
    throw UsageError(fmt::format("--out: expected a file of its own, got {}, which belongs to a run", out.string()));
  }
  const fs::path directory = out.has_parent_path() ? out.parent_path() : fs::path(".");
  if (!fs::is_directory(directory, error)) {
    throw FileError(fmt::format("{}: cannot write: {} is no directory; make it first", out.string(), directory.string()));
  }
  if (fs::is_directory(out, error))
    throw FileError(fmt::format("{}: cannot write: expected a file, got a directory", out.string()));
}

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

}  // namespace

int evaluate_run(const EvaluateArguments& arguments) {
  if (!arguments.out.empty()) expect_writable(arguments.out);
  const TrainedRun run = read_trained_run(arguments.run);
  const config::RunConfig changed = changed_config(run, arguments.sets, Use::evaluation);
  catch_interrupts();
  const std::optional<EvaluationRecord> record = evaluate(run, changed, arguments.threads);
  if (!record) {
    fmt::print(stderr, "interrupted; nothing is written\n");
    return 130;
  }
  const std::string text = fmt::format("{}: step {} of {}, {}\n{}", record->run_id, record->step, run.config.settings.train.steps,
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
  return 0;
}

}  // namespace ropewalk
