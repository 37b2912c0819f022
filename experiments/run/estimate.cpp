#include "experiments/run/estimate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "experiments/run/evaluation.hpp"
#include "experiments/run/text_task.hpp"
#include "experiments/run/trainer.hpp"

namespace ropewalk {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double calibration_seconds = 0.5;

/// Bytes that stand in for a text: the time of a step does not depend on what is read.
std::shared_ptr<const Corpus> random_corpus(Index length) {
  Corpus corpus;
  Stream stream = Random(0).stream("calibration");
  for (Index i = 0; i < 64 * (length + 1); ++i)
    corpus.tokens.push_back(static_cast<std::uint8_t>(stream.below(Corpus::vocabulary)));
  corpus.training = static_cast<Index>(corpus.tokens.size());
  return std::make_shared<const Corpus>(std::move(corpus));
}

double step_flops(const config::Settings& settings) {
  return 3 * static_cast<double>(settings.train.batch) * forward_flops(settings.model, Corpus::vocabulary, settings.train.length);
}

/// Counted in a model made for it: what a scheme adds, only the scheme knows.
Index parameters_of(const config::Settings& settings) {
  return nn::Transformer(settings.model, vocabulary_of(settings), settings.train.length, Random(0)).parameter_count();
}

/// The kind that is selected, with those selected inside it: "rope yarn".
std::string kinds_in(Selection& selection) {
  std::string kinds = selection.kind();
  const Fields fields = selection.fields();
  for (const Field& field : fields.all()) {
    if (Selection* const* inner = std::get_if<Selection*>(&field.target)) kinds += " " + kinds_in(**inner);
    if (SelectionList* const* list = std::get_if<SelectionList*>(&field.target)) {
      for (std::size_t i = 0; i < (*list)->size(); ++i) kinds += " " + kinds_in((**list)[i]);
    }
  }
  return kinds;
}

/// Runs whose steps cost the same.
std::string cost_key(config::Settings settings) {
  return fmt::format("{} {} {} {} {} {}", kinds_in(settings.model.position), kinds_in(settings.model.positions),
                     settings.model.activation, settings.model.norm, settings.model.dropout, step_flops(settings));
}

double evaluation_flops(const config::Settings& settings, Index held_out) {
  const ProtocolSettings laid = protocol_settings(settings.evaluate, held_out);
  double flops = 0;
  for (const std::string& protocol : settings.evaluate.protocols) {
    for (Index length : settings.evaluate.lengths) {
      flops += static_cast<double>(protocol_windows(protocol, length, laid).size()) *
               forward_flops(settings.model, Corpus::vocabulary, length);
    }
  }
  const Index every = settings.evaluate.every, steps = settings.train.steps;
  return flops * static_cast<double>(every > 0 ? (steps + every - 1) / every : 1);
}

}  // namespace

double forward_flops(const nn::TransformerSettings& model, Index vocabulary, Index length) {
  const auto width = static_cast<double>(model.width), hidden = static_cast<double>(model.hidden_width());
  const double tokens = static_cast<double>(length);
  const double feed_forward = (model.activation == "swiglu" ? 3 : 2) * width * hidden;
  const double weights =
      static_cast<double>(model.layers) * (4 * width * width + feed_forward) + static_cast<double>(vocabulary) * width;
  const double pairs = model.causal() ? tokens * (tokens + 1) / 2 : tokens * tokens;
  return 2 * weights * tokens + 4 * width * pairs * static_cast<double>(model.layers);
}

double run_flops(const config::Settings& settings, Index held_out) {
  return step_flops(settings) * static_cast<double>(settings.train.steps) + evaluation_flops(settings, held_out);
}

Estimate Estimator::estimate(const config::Settings& settings, Index held_out) {
  const auto [place, is_new] = measured_.try_emplace(cost_key(settings));
  Measured& measured = place->second;
  if (is_new) {
    Crew crew(0);
    const auto meter = std::make_shared<Meter>();
    const MeterScope scope(meter);
    Trainer trainer(settings, random_corpus(settings.train.length), crew, meter);
    trainer.step();  // the first one makes what the others reuse
    const Clock::time_point start = Clock::now();
    double seconds = 0, flops = 0;
    while (seconds < calibration_seconds) {
      trainer.step();
      flops += step_flops(settings);
      seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    measured.flops_per_second = flops / seconds;
    measured.bytes = meter->peak();
  }
  const double flops = run_flops(settings, held_out);
  return {parameters_of(settings), flops, flops / measured.flops_per_second, measured.bytes};
}

}  // namespace ropewalk
