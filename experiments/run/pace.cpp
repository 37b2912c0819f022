#include "experiments/run/pace.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <future>
#include <optional>

#include "experiments/run/attention.hpp"
#include "experiments/run/evaluator.hpp"
#include "experiments/run/text_task.hpp"
#include "experiments/run/trainer.hpp"

namespace ropewalk {
namespace {

using Clock = std::chrono::steady_clock;

// Enough for a mean over what a shared machine does; an evaluation's is divided among its lengths.
constexpr double step_budget = 0.4, evaluation_budget = 0.6, length_budget = 0.04;
constexpr double file_seconds = 0.01;        // of writing what a run leaves: `scripts/benchmark runner` measures it
constexpr Index longest_first_probe = 1024;  // tokens

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Bytes that stand in for a text: the time does not depend on what is read.
std::shared_ptr<const Corpus> random_corpus(Index training, Index held_out) {
  Corpus corpus;
  Stream stream = Random(0).stream("calibration");
  for (Index i = 0; i < training + held_out; ++i) {
    corpus.tokens.push_back(static_cast<std::uint8_t>(stream.below(Corpus::vocabulary)));
  }
  corpus.training = training;
  return std::make_shared<const Corpus>(std::move(corpus));
}

/// One of the copies.
class Copy {
 public:
  Copy(const config::Settings& settings, std::shared_ptr<const Corpus> corpus, Index pieces, Crew& crew)
      : settings_(settings), corpus_(std::move(corpus)), objective_(objective_of(settings)), pieces_(pieces), crew_(crew) {}

  Pace measure() {
    const Clock::time_point start = Clock::now();
    Trainer trainer(settings_, corpus_, crew_, meter_);
    trainer.step();
    const double begun = seconds_since(start);
    pace_.parameters = trainer.model().parameter_count();
    pace_.step_seconds = step_seconds(trainer, begun);
    pace_.start_seconds = std::max(0.0, begun - pace_.step_seconds) + file_seconds;
    probe_lengths(trainer.model());
    pace_.trained_bytes = meter_->peak();
    pace_.held_bytes = meter_->held();
    return std::move(pace_);
  }

 private:
  /// Mean over later steps, fewer than the run has; of the first, if that took too long for another one.
  double step_seconds(Trainer& trainer, double first) const {
    if (first > 2 * step_budget || settings_.train.steps == 1) return first;
    const Clock::time_point start = Clock::now();
    Index steps = 0;
    do {
      trainer.step();
      ++steps;
    } while (steps < settings_.train.steps && seconds_since(start) < step_budget);
    return seconds_since(start) / static_cast<double>(steps);
  }

  /// Lengths four times as long each time; those that fill a piece alone, as far as time allows.
  void probe_lengths(const nn::Transformer& model) {
    const std::vector<Index>& lengths = settings_.evaluate.lengths;
    for (const Index evaluated : lengths) {
      if (model.reaches(evaluated)) pace_.reached = std::max(pace_.reached, evaluated);
    }
    const Index longest = pace_.reached;
    Index length = std::min(longest_first_probe, std::ranges::min(lengths));
    double spent = 0;
    for (int probes = 0; length <= longest; ++probes) {
      const double of_window = pace_.window_seconds.at(length) + pace_.attention_seconds.at(length);
      const double expected = of_window * static_cast<double>(windows_in(length));
      const bool is_long = windows_in_piece(length) == 1;
      if (probes >= 2 && is_long && spent + expected > evaluation_budget) return;
      spent += probe(model, length);
      length = length == longest ? longest + 1 : std::min(4 * length, longest);
    }
  }

  Index windows_in(Index length) const { return pieces_ * windows_in_piece(length); }

  /// The first length is probed as training leaves the memory, the others as an evaluation does.
  double probe(const nn::Transformer& model, Index length) {
    std::vector<Window> windows;
    for (Index i = 0; i < windows_in(length); ++i) windows.push_back({i * length, 0});
    const auto meter = probed_ ? std::make_shared<Meter>() : meter_;
    std::optional<MeterScope> scope;
    if (probed_) scope.emplace(meter);
    const Clock::time_point start = Clock::now();
    const Dataset dataset(*corpus_, *objective_);
    const auto one = static_cast<double>(windows_in(length));
    const auto score = [&] { evaluate(model, dataset, windows, length, Random(0), crew_, meter); };
    pace_.window_seconds.add(length, mean_seconds(score) / one);
    const auto look = [&] { head_means(model, dataset, windows, length, Random(0), crew_, meter); };
    if (settings_.record.attention) pace_.attention_seconds.add(length, mean_seconds(look) / one);
    if (probed_) pace_.evaluated_bytes[length] = meter->peak();
    probed_ = true;
    return seconds_since(start);
  }

  /// Of work that is done again and again for a moment.
  static double mean_seconds(const std::function<void()>& work) {
    const Clock::time_point start = Clock::now();
    Index rounds = 0;
    do {
      work();
      ++rounds;
    } while (seconds_since(start) < length_budget);
    return seconds_since(start) / static_cast<double>(rounds);
  }

  const config::Settings& settings_;
  const std::shared_ptr<const Corpus> corpus_;
  const std::unique_ptr<const Objective> objective_;
  const Index pieces_;  ///< of an evaluation, under way at once
  Crew& crew_;
  std::shared_ptr<Meter> meter_ = std::make_shared<Meter>();
  const MeterScope charged_{meter_};
  Pace pace_;
  bool probed_ = false;
};

}  // namespace

std::int64_t Pace::peak_bytes(Index length) const {
  if (evaluated_bytes.empty()) return trained_bytes;
  const auto tokens = [](Index of) { return static_cast<double>(of * windows_in_piece(of)); };
  auto known = evaluated_bytes.lower_bound(length);
  double growth = 1;
  if (known == evaluated_bytes.end()) growth = tokens(length) / tokens((--known)->first);
  return std::max(trained_bytes, held_bytes + static_cast<std::int64_t>(growth * static_cast<double>(known->second)));
}

Pace measure_pace(const config::Settings& settings, const Places& places) {
  const Index pieces = (places.threads + places.jobs - 1) / places.jobs;
  Index held_out = 0;
  for (const Index length : settings.evaluate.lengths) {
    held_out = std::max(held_out, pieces * length * windows_in_piece(length));
  }
  held_out = std::max(held_out, pieces * longest_first_probe * windows_in_piece(longest_first_probe));
  const auto corpus = random_corpus(64 * (settings.train.length + 1), held_out + 1);
  Crew crew(places.threads - places.jobs);
  const auto measure = [&] { return Copy(settings, corpus, pieces, crew).measure(); };
  std::vector<std::future<Pace>> others;
  for (int i = 1; i < places.jobs; ++i) others.push_back(std::async(std::launch::async, measure));
  Pace pace = measure();
  for (std::future<Pace>& other : others) other.get();
  return pace;
}

}  // namespace ropewalk
