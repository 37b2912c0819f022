#include "experiments/run/generation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/errors.hpp"
#include "experiments/run/text_task.hpp"
#include "framework/ops/layout.hpp"

namespace ropewalk {
namespace {

/// Why a sequence of so many tokens is beyond the model; empty if it is not.
std::string beyond(const config::Settings& settings, const nn::Transformer& model, Index length) {
  const auto context = settings.model.context(settings.train.length, settings.task->marks());
  for (const positional::Complaint& complaint : positional::complaints_about(*settings.model.position, context, {length})) {
    return complaint.reason;
  }
  return model.reaches(length) ? "" : fmt::format("length {} is beyond its table, and the scheme skips such lengths", length);
}

Tensor tokens_of(std::string_view text) {
  std::vector<std::int32_t> tokens;
  for (const char byte : text) tokens.push_back(static_cast<std::uint8_t>(byte));
  const auto count = static_cast<Index>(tokens.size());
  return Tensor::of(tokens, {1, count});
}

/// Tokens from the likeliest on, the first of equals first; `count` of them.
std::vector<std::size_t> likeliest(const std::vector<double>& logits, std::size_t count) {
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto before = [&](std::size_t a, std::size_t b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), before);
  order.resize(count);
  return order;
}

}  // namespace

void expect_sound(const GenerationSettings& generation) {
  if (generation.prompt.empty()) throw UsageError("--prompt: expected at least one byte to go on from, got nothing");
  if (generation.tokens < 1) throw UsageError(fmt::format("--tokens: expected at least 1, got {}", generation.tokens));
  if (generation.top_k < 0) throw UsageError(fmt::format("--top-k: expected at least 0, got {}", generation.top_k));
  if (!std::isfinite(generation.temperature) || generation.temperature < 0) {
    throw UsageError(fmt::format("--temperature: expected a number >= 0, got {}", generation.temperature));
  }
}

void expect_generable(const config::Settings& settings, const nn::Transformer& model, const GenerationSettings& generation) {
  if (!settings.model.causal()) {
    throw UsageError(
        fmt::format("model.kind: expected decoder, got {}: it was trained on the task {}, to predict masked tokens from those on "
                    "both sides, and cannot go on from a prompt",
                    settings.model.kind, settings.task.kind()));
  }
  if (model.positioning().traits().needs_grid) {
    throw UsageError("model.position: a sequence is a grid of patches to this scheme: it cannot grow token by token");
  }
  const Index prompt = static_cast<Index>(generation.prompt.size());
  const auto fits = [&](Index tokens) { return beyond(settings, model, prompt + tokens - 1).empty(); };  // the last is not read
  if (fits(generation.tokens)) return;
  Index possible = generation.tokens - 1;
  while (possible > 0 && !fits(possible)) --possible;
  throw UsageError(fmt::format("model.position: {}; after a prompt of {} tokens, --tokens can be {}",
                               beyond(settings, model, prompt + generation.tokens - 1), prompt,
                               possible > 0 ? fmt::format("at most {}", possible) : "nothing: the prompt is too long"));
}

std::size_t choose_token(const std::vector<double>& logits, double temperature, Index top_k, Stream stream) {
  if (std::any_of(logits.begin(), logits.end(), [](double logit) { return !std::isfinite(logit); })) {
    throw Error("generate: the model's logits are not finite: it says nothing of the next token");
  }
  const std::size_t all = logits.size();
  const bool greedy = temperature == 0;
  const std::size_t kept = greedy ? 1 : top_k == 0 ? all : std::min(all, static_cast<std::size_t>(top_k));
  const std::vector<std::size_t> candidates = likeliest(logits, kept);
  if (kept == 1) return candidates.front();
  std::vector<double> cumulative;
  double sum = 0;
  for (const std::size_t token : candidates) {
    sum += std::exp((logits[token] - logits[candidates.front()]) / temperature);
    cumulative.push_back(sum);
  }
  const auto drawn = std::upper_bound(cumulative.begin(), cumulative.end(), stream.uniform() * sum);
  return candidates[std::min(static_cast<std::size_t>(drawn - cumulative.begin()), kept - 1)];
}

bool generate(const nn::Transformer& model, const GenerationSettings& generation, const TakeToken& take) {
  const Random random(generation.seed);
  nn::Cache cache;
  std::string text, input = generation.prompt;
  for (Index t = 0; t < generation.tokens; ++t) {
    const Tensor logits = model.next(tokens_of(input), cache);
    const Tensor last = slice(logits, 1, logits.dim(1) - 1, logits.dim(1));
    const std::size_t token = choose_token(last.values(), generation.temperature, generation.top_k,
                                           random.stream("generate", static_cast<std::uint64_t>(t)));
    if (!take(static_cast<std::uint8_t>(token))) return false;
    input.assign(1, static_cast<char>(token));
    text += input;
    if (!generation.stop.empty() && text.ends_with(generation.stop)) break;
  }
  return true;
}

}  // namespace ropewalk
