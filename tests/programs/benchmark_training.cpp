// Speed of training: `benchmark_training --size M --threads 2 --seconds 5` prints `tokens_per_second=… peak_bytes=…` on one line.
// scripts/benchmark runs it in turn with the same training in PyTorch.
#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <map>

#include "experiments/run/trainer.hpp"

namespace ropewalk {
namespace {

struct Size {
  Index width, layers, heads, length, batch;
};

const std::map<std::string, Size> sizes{{"S", {64, 2, 4, 64, 32}}, {"M", {128, 4, 4, 128, 16}}, {"L", {256, 6, 8, 256, 8}}};

config::Settings settings_of(const Size& size, const std::string& position) {
  config::Settings settings;
  settings.model.width = size.width;
  settings.model.layers = size.layers;
  settings.model.heads = size.heads;
  settings.model.position.select(position);
  settings.train.length = size.length;
  settings.train.batch = size.batch;
  return settings;
}

std::shared_ptr<const Corpus> random_text() {
  Corpus corpus;
  Stream stream = Random(0).stream("benchmark");
  for (int i = 0; i < 1 << 18; ++i) corpus.tokens.push_back(static_cast<std::uint8_t>(stream.below(Corpus::vocabulary)));
  corpus.training = static_cast<Index>(corpus.tokens.size());
  return std::make_shared<const Corpus>(std::move(corpus));
}

/// Trains for a second to warm up, then for `seconds`.
void measure(const config::Settings& settings, int threads, double seconds) {
  using Clock = std::chrono::steady_clock;
  Crew crew(threads - 1);
  const auto meter = std::make_shared<Meter>();
  const MeterScope scope(meter);
  Trainer trainer(settings, random_text(), crew, meter);
  const auto train_for = [&](double limit) {
    const Clock::time_point start = Clock::now();
    const Index before = trainer.tokens_seen();
    double elapsed = 0;
    while (elapsed < limit) {
      trainer.step();
      elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    }
    return static_cast<double>(trainer.tokens_seen() - before) / elapsed;
  };
  train_for(1);
  const double rate = train_for(seconds);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);  // all of the process, as of its peer
  fmt::print("tokens_per_second={:.1f} peak_bytes={}\n", rate, usage.ru_maxrss * 1024);
}

}  // namespace
}  // namespace ropewalk

int main(int argc, char** argv) {
  CLI::App app("Speed of training on random bytes");
  std::string size = "M", position = "alibi";
  int threads = 1;
  double seconds = 5;
  app.add_option("--size", size)->check(CLI::IsMember({"S", "M", "L"}))->capture_default_str();
  app.add_option("--position", position, "a scheme, at its defaults")->capture_default_str();
  app.add_option("--threads", threads)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seconds", seconds)->check(CLI::PositiveNumber)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  ropewalk::measure(ropewalk::settings_of(ropewalk::sizes.at(size), position), threads, seconds);
}
