// Speed of training: `benchmark_training --size M --threads 2 --seconds 5` prints `position=… batch=… parameters=…
// tokens_per_second=… first_tenth=… last_tenth=… peak_bytes=…` on one line; the tenths, of the steps that were timed, are tokens
// per second too.
//
// Several values of --position or --batch give a line for each combination. Those train by turns in one process, so what disturbs
// one disturbs all. --jobs trains that many models side by side, each on a thread of its own, and prints the sum of their speeds.
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "experiments/run/trainer.hpp"
#include "tests/programs/benchmark_model.hpp"
#include "tests/programs/benchmark_sizes.hpp"
#include "tests/programs/benchmark_timing.hpp"

namespace ropewalk {
namespace {

constexpr int warm_up = 2;            // steps at the beginning of a turn that are not timed
constexpr double turn_seconds = 0.5;  // long beside the warm-up, short beside the disturbances of a machine

/// A model in training and how long each of its steps took.
class Job {
 public:
  Job(const config::Settings& settings, std::shared_ptr<const Corpus> text, Crew& crew)
      : tokens_(settings.train.batch * settings.train.length),
        trainer_(settings, std::move(text), crew, std::make_shared<Meter>()) {}

  void train_for(double limit) {
    for (int step = 0; step < warm_up; ++step) trainer_.step();
    const Stopwatch turn;
    do {
      const Stopwatch step;
      trainer_.step();
      seconds_.push_back(step.seconds());
    } while (turn.seconds() < limit);
  }

  /// Tokens per second of the timed steps from one share of them to another.
  double rate(double from, double to) const {
    const auto count = static_cast<double>(seconds_.size());
    const auto first = static_cast<std::ptrdiff_t>(from * count);
    const auto last = std::max(first + 1, static_cast<std::ptrdiff_t>(to * count));
    const double elapsed = std::accumulate(seconds_.begin() + first, seconds_.begin() + last, 0.0);
    return static_cast<double>((last - first) * tokens_) / elapsed;
  }

  Index parameters() const { return trainer_.model().parameter_count(); }

 private:
  Index tokens_;  ///< of a step
  Trainer trainer_;
  std::vector<double> seconds_;
};

/// One combination of what is compared. Its jobs refer to its settings, so it stays where it was made.
class Contestant {
 public:
  Contestant(const Size& size, const std::string& position, Index batch, int jobs, const std::shared_ptr<const Corpus>& text,
             Crew& crew) {
    settings_.model.width = size.width;
    settings_.model.layers = size.layers;
    settings_.model.heads = size.heads;
    settings_.model.position.select(position);
    settings_.train.length = size.length;
    settings_.train.batch = batch;
    for (int job = 0; job < jobs; ++job) jobs_.push_back(std::make_unique<Job>(settings_, text, crew));
  }
  Contestant(const Contestant&) = delete;
  Contestant& operator=(const Contestant&) = delete;

  /// Side by side as the runner trains them: the first on the calling thread.
  void take_turn(double seconds) {
    std::vector<std::thread> drivers;
    for (std::size_t job = 1; job < jobs_.size(); ++job) drivers.emplace_back([&, job] { jobs_[job]->train_for(seconds); });
    jobs_.front()->train_for(seconds);
    for (std::thread& driver : drivers) driver.join();
  }

  void print() const {
    fmt::print("position={} batch={} parameters={} tokens_per_second={:.1f} first_tenth={:.1f} last_tenth={:.1f} peak_bytes={}\n",
               settings_.model.position.kind(), settings_.train.batch, jobs_.front()->parameters(), rate(0, 1), rate(0, 0.1),
               rate(0.9, 1), peak_bytes());
  }

 private:
  double rate(double from, double to) const {
    double total = 0;
    for (const auto& job : jobs_) total += job->rate(from, to);
    return total;
  }

  config::Settings settings_;
  std::vector<std::unique_ptr<Job>> jobs_;
};

struct Options {
  std::string size = "M";
  std::vector<std::string> positions{"alibi"};
  std::vector<Index> batches;  ///< empty: that of the size
  int threads = 1, jobs = 1;
  double seconds = 5;
};

void measure(const Options& options) {
  check(options.jobs <= options.threads, "--jobs: expected at most the {} threads, got {}", options.threads, options.jobs);
  const Size& size = sizes.at(options.size);
  const auto text = std::make_shared<const Corpus>(random_text(1 << 18, 0));
  Crew crew(options.threads - options.jobs);
  std::vector<std::unique_ptr<Contestant>> contestants;
  for (const std::string& position : options.positions) {
    for (Index batch : options.batches.empty() ? std::vector<Index>{size.batch} : options.batches) {
      contestants.push_back(std::make_unique<Contestant>(size, position, batch, options.jobs, text, crew));
    }
  }
  const double turn = contestants.size() == 1 ? options.seconds : std::min(turn_seconds, options.seconds);
  for (double trained = 0; trained < options.seconds; trained += turn) {
    for (const auto& contestant : contestants) contestant->take_turn(turn);
  }
  for (const auto& contestant : contestants) contestant->print();
}

}  // namespace
}  // namespace ropewalk

int main(int argc, char** argv) {
  CLI::App app("Speed of training on random bytes");
  ropewalk::Options options;
  app.add_option("--size", options.size)->check(CLI::IsMember(ropewalk::sizes))->capture_default_str();
  app.add_option("--position", options.positions, "schemes, at their defaults")->capture_default_str();
  app.add_option("--batch", options.batches, "sequences in a step; default: as many as the size says")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--jobs", options.jobs, "models side by side, no more than threads")->check(CLI::PositiveNumber);
  app.add_option("--seconds", options.seconds, "of training for each line")
      ->check(ropewalk::check_seconds)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    ropewalk::measure(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
