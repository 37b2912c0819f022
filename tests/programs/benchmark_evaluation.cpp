// Time and memory of evaluating one long sequence: `benchmark_evaluation --position rope --length 65536 --threads 2` prints
// `seconds=… peak_bytes=…`. The smallest model of the benchmarks, with the weights it starts from.
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "experiments/config/task.hpp"
#include "experiments/run/evaluator.hpp"
#include "tests/programs/benchmark_model.hpp"
#include "tests/programs/benchmark_sizes.hpp"
#include "tests/programs/benchmark_timing.hpp"

namespace ropewalk {
namespace {

/// Trained, it is told, on no more than this, unless the scheme serves no longer length than its trained one: a table of
/// positions.
constexpr Index trained = 1024;

Index trained_length(const nn::TransformerSettings& settings, Index length, const positional::Marks& marks) {
  const Index shorter = std::min(length, trained);
  const bool served = positional::complaints_about(*settings.position, settings.context(shorter, marks), {length}).empty();
  return served ? shorter : length;
}

nn::Transformer make_model(const std::string& position, Index length) {
  const Size& size = sizes.at("S");
  const nn::Vocabulary vocabulary{Corpus::vocabulary, config::TextSettings().marks()};
  nn::TransformerSettings settings;
  settings.width = size.width;
  settings.layers = size.layers;
  settings.heads = size.heads;
  settings.position.select(position);
  const Index shorter = trained_length(settings, length, vocabulary.marks);
  settings.resolve(shorter, vocabulary.marks);
  return {settings, vocabulary, shorter, Random(0)};
}

/// Evaluates for `seconds`, at least once, and prints the fastest.
void measure(const std::string& position, Index length, int threads, double seconds) {
  const nn::Transformer model = make_model(position, length);
  const Corpus text = random_text(0, length + 1);
  Crew crew(threads - 1);
  const auto meter = std::make_shared<Meter>();
  double fastest = std::numeric_limits<double>::infinity();
  const Stopwatch total;
  do {
    const Stopwatch one;
    const Score score = evaluate(model, text, {{0, 0}}, length, Random(0), crew, meter);
    if (score.scored != length) throw Error(fmt::format("expected {} tokens to be scored, got {}", length, score.scored));
    fastest = std::min(fastest, one.seconds());
  } while (total.seconds() < seconds);
  fmt::print("seconds={:.5g} peak_bytes={}\n", fastest, peak_bytes());
}

}  // namespace
}  // namespace ropewalk

int main(int argc, char** argv) {
  CLI::App app("Evaluation of one long sequence of random bytes");
  std::string position = "none";
  ropewalk::Index length = 1024;
  int threads = 1;
  double seconds = 0.5;
  app.add_option("--position", position, "a scheme, at its defaults")->capture_default_str();
  app.add_option("--length", length, "tokens")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--threads", threads)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seconds", seconds, "evaluated again until they are over; the fastest counts")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    ropewalk::measure(position, length, threads, seconds);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
