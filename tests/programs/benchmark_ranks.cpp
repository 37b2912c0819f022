// What a training step costs beside its computing when a run is on many ranks: `mpirun -n 2 build/benchmark_ranks --size S M L`.
//
// For messages of several sizes it prints `message bytes=… send_seconds=… broadcast_seconds=…`: one way from rank 0 to rank 1,
// and to all ranks until each has it. Then for each size of model `size=… ranks=… threads=… parameters=… step_seconds=…
// parameter_bytes=… parameter_seconds=… row_bytes=… row_seconds=… waiting_seconds=…`, medians over the steps, as rank 0 sees
// them: sending the parameters to all, receiving sums of gradients, and waiting for the other ranks to be done with their shards,
// which includes the messages by which they say so. Without mpirun there are no messages: the time to compare with.
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "experiments/config/plan.hpp"
#include "experiments/mpi/mpi_ranks.hpp"
#include "experiments/run/followers.hpp"
#include "experiments/run/text_task.hpp"
#include "experiments/run/trainer.hpp"
#include "tests/programs/benchmark_sizes.hpp"
#include "tests/programs/benchmark_timing.hpp"

namespace ropewalk {
namespace {

constexpr int warm_up = 2;  // steps

struct Traffic {
  std::size_t bytes = 0;
  double seconds = 0;

  template <class Call>
  void count(std::size_t size, Call call) {
    const Stopwatch watch;
    call();
    seconds += watch.seconds();
    bytes += size;
  }
};

/// Passes everything on and counts what takes how long. Rows and parameters are far larger than all else.
class CountedRanks : public Ranks {
 public:
  explicit CountedRanks(Ranks& ranks) : ranks_(ranks) {}

  int rank() const override { return ranks_.rank(); }
  int count() const override { return ranks_.count(); }
  int cores() const override { return ranks_.cores(); }
  bool pending(int from) override { return ranks_.pending(from); }
  [[noreturn]] void abort(const std::string& why) override {
    ranks_.abort(why);
    std::abort();  // not reached, but GCC does not see that through a virtual call
  }

  void send(int to, const void* data, std::size_t bytes) override { ranks_.send(to, data, bytes); }
  void receive(int from, void* data, std::size_t bytes) override {
    (bytes >= large ? rows : waiting).count(bytes, [&] { ranks_.receive(from, data, bytes); });
  }
  void broadcast(void* data, std::size_t bytes) override {
    if (bytes < large || count() == 1) return ranks_.broadcast(data, bytes);
    parameters.count(bytes, [&] { ranks_.broadcast(data, bytes); });
  }

  Traffic parameters, rows, waiting;

 private:
  static constexpr std::size_t large = 1 << 16;
  Ranks& ranks_;
};

void there_and_back(Ranks& ranks, std::vector<char>& bytes) {
  if (ranks.rank() == 0) {
    ranks.send(1, bytes.data(), bytes.size());
    ranks.receive(1, bytes.data(), bytes.size());
  } else if (ranks.rank() == 1) {
    ranks.receive(0, bytes.data(), bytes.size());
    ranks.send(0, bytes.data(), bytes.size());
  }
}

/// Until all ranks have said that they have it.
void to_all(Ranks& ranks, std::vector<char>& bytes) {
  ranks.broadcast(bytes.data(), bytes.size());
  together(ranks, [] { return std::vector<double>(); });
}

/// Of one call in the fastest of several bursts, which are equally long on all ranks.
template <class Call>
double fastest(int calls, Call call) {
  double fastest = std::numeric_limits<double>::infinity();
  for (int burst = 0; burst < 20; ++burst) {
    const Stopwatch watch;
    for (int i = 0; i < calls; ++i) call();
    fastest = std::min(fastest, watch.seconds() / calls);
  }
  return fastest;
}

void measure_messages(Ranks& ranks) {
  if (ranks.count() == 1) return;
  for (int power : {3, 12, 16, 20, 24}) {
    std::vector<char> bytes(std::size_t{1} << power);
    const int calls = power < 20 ? 200 : 5;
    const double round = fastest(calls, [&] { there_and_back(ranks, bytes); });
    const double broadcast = fastest(calls, [&] { to_all(ranks, bytes); });
    if (ranks.leads()) {
      fmt::print("message bytes={} send_seconds={:.3g} broadcast_seconds={:.3g}\n", bytes.size(), round / 2, broadcast);
    }
  }
}

config::Settings settings_of(const Size& size, const std::string& corpus) {
  return config::parse_plan(
             fmt::format("name: benchmark\ntask: {{corpus: '{}'}}\nmodel: {{width: {}, layers: {}, heads: {}, position: "
                         "{{kind: alibi}}}}\ntrain: {{length: {}, batch: {}}}\n",
                         corpus, size.width, size.layers, size.heads, size.length, size.batch),
             "benchmark")
      .runs.front()
      .settings;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void measure_steps(const std::string& name, const std::string& corpus, Ranks& ranks, int threads, double limit) {
  const config::Settings settings = settings_of(sizes.at(name), corpus);
  Crew crew(threads - 1);
  CountedRanks counted(ranks);
  Trainer trainer(settings, corpus_of(settings), crew, std::make_shared<Meter>(), counted);
  for (int step = 0; step < warm_up; ++step) trainer.step();
  std::vector<double> whole, parameters, rows, waiting;
  const Stopwatch watch;
  do {
    counted.parameters = counted.rows = counted.waiting = {};
    const Stopwatch step;
    trainer.step();
    whole.push_back(step.seconds());
    parameters.push_back(counted.parameters.seconds);
    rows.push_back(counted.rows.seconds);
    waiting.push_back(counted.waiting.seconds);
  } while (watch.seconds() < limit);
  fmt::print(
      "size={} ranks={} threads={} parameters={} step_seconds={:.4g} parameter_bytes={} parameter_seconds={:.3g} row_bytes={} "
      "row_seconds={:.3g} waiting_seconds={:.3g}\n",
      name, ranks.count(), threads, trainer.model().parameter_count(), median(whole), counted.parameters.bytes,
      median(parameters), counted.rows.bytes, median(rows), median(waiting));
}

struct Options {
  std::vector<std::string> sizes{"M"};
  std::string corpus = "data/kjv.txt";
  int threads = 1;
  double seconds = 5;
};

void measure(const Options& options, Ranks& ranks) {
  measure_messages(ranks);
  if (!ranks.leads()) {
    Crew crew(options.threads - 1);
    return follow(ranks, crew);
  }
  const Leadership leadership(ranks);
  for (const std::string& size : options.sizes) measure_steps(size, options.corpus, ranks, options.threads, options.seconds);
}

}  // namespace
}  // namespace ropewalk

int main(int argc, char** argv) {
  CLI::App app("What a training step costs on several ranks");
  ropewalk::Options options;
  app.add_option("--size", options.sizes)->check(CLI::IsMember(ropewalk::sizes))->capture_default_str();
  app.add_option("--corpus", options.corpus, "a text that every rank finds under this path")->capture_default_str();
  app.add_option("--threads", options.threads, "of each rank")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seconds", options.seconds, "of training for each size")
      ->check(ropewalk::check_seconds)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    const std::unique_ptr<ropewalk::Ranks> joined = ropewalk::join_ranks();
    ropewalk::measure(options, joined ? *joined : ropewalk::alone());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
