#include "experiments/run/inspection.hpp"

#include <algorithm>

#include "experiments/errors.hpp"
#include "experiments/run/parameters.hpp"
#include "experiments/run/rotary_facts.hpp"
#include "experiments/run/text_task.hpp"
#include "framework/ops/layout.hpp"

namespace ropewalk {
namespace {

constexpr double gibibyte = 1 << 30;
constexpr double largest_maps = 4 * gibibyte;

void refuse(Index length, const std::string& reason) { throw UsageError(fmt::format("--length {}: {}", length, reason)); }

void expect_room(const nn::TransformerSettings& model, Index length) {
  const double maps = 3.0 * 8 * static_cast<double>(model.heads) * static_cast<double>(length) * static_cast<double>(length);
  if (maps <= largest_maps) return;
  refuse(length, fmt::format("bias, scores and weights of {} heads and all pairs of tokens take {:.1f} GiB, more than the {:.0f} "
                             "GiB that are written; ask for fewer tokens",
                             model.heads, maps / gibibyte, largest_maps / gibibyte));
}

void expect_served(const config::Settings& settings, Index length) {
  const nn::TransformerSettings& model = settings.model;
  const auto context = model.context(settings.train.length, settings.task->marks());
  for (const positional::Complaint& found : positional::complaints_about(*model.position, context, {length})) {
    refuse(length, fmt::format("model.position.{}: {}", found.setting.empty() ? "kind" : found.setting, found.reason));
  }
}

void expect_reached(const nn::Transformer& model, Index length) {
  if (!model.reaches(length)) refuse(length, "model.position: has nothing to say at this length; evaluations skip it");
}

Tensor random_tokens(Index length, Index vocabulary) {
  Stream stream = Random(0).stream("inspect");
  std::vector<std::int32_t> tokens;
  for (Index i = 0; i < length; ++i) {
    tokens.push_back(static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(vocabulary))));
  }
  return Tensor::of(tokens, {1, length});
}

/// x [1, …] -> [ … ]
Tensor only(const Tensor& x) { return x.defined() ? reshape(x, {x.shape().begin() + 1, x.shape().end()}) : x; }

std::optional<InspectedRotation> rotation_of(const nn::Transformer& model, const config::Settings& settings, Index length) {
  const RotationTables tables = model.positioning().rotation(model.sampler().positions(length, 1, nullptr));
  const auto facts = rotary_facts(settings.model, settings.train.length, length);
  if (!tables.defined() || !facts) return {};
  return InspectedRotation{tables.cosine, tables.sine, model.positioning().frequencies(length),
                           tables.interleaved ? "interleaved" : "half", *facts};
}

}  // namespace

Inspection inspect(const config::RunConfig& run, Index length, const Checkpoint* trained) {
  const config::Settings& settings = run.settings;
  if (length < 1) refuse(length, "expected at least 1 token");
  expect_room(settings.model, length);
  expect_served(settings, length);
  const nn::Vocabulary vocabulary = vocabulary_of(settings);
  const nn::Transformer model(settings.model, vocabulary, settings.train.length,
                              Random(static_cast<std::uint64_t>(settings.seed)), Type::f64);
  expect_reached(model, length);
  if (trained) {
    if (const std::string why = misfit(model, trained->parameters); !why.empty()) {
      throw UsageError(
          fmt::format("the trained parameters do not fit these settings: {}; inspect the config alone, or leave the "
                      "settings as the run was trained",
                      why));
    }
    copy_back(trained->parameters, model, model.flat());
  }
  const Tensor tokens = random_tokens(length, vocabulary.size);
  const nn::FirstLayer layer = model.first_layer(tokens);
  Inspection found;
  found.config = run.yaml;
  found.trained_length = settings.train.length;
  found.step = trained ? trained->step : 0;
  for (double token : tokens.values()) found.tokens.push_back(static_cast<std::int64_t>(token));
  found.token_embedding = only(layer.token_embedding);
  found.embedding = only(layer.added);
  found.sum = only(layer.sum);
  found.rotation = rotation_of(model, settings, length);
  found.slopes = model.positioning().slopes();
  found.bias = only(layer.attention.bias);
  found.scores = only(layer.attention.scores);
  found.weights = only(layer.attention.weights);
  return found;
}

}  // namespace ropewalk
