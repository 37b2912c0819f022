// Text from a trained model, one token at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "experiments/config/settings.hpp"
#include "framework/nn/transformer.hpp"

namespace ropewalk {

struct GenerationSettings {
  std::string prompt;      ///< at least one byte
  Index tokens = 1;        ///< at most so many are generated
  double temperature = 1;  ///< logits are divided by it; 0: the likeliest token each time, the first of equals
  Index top_k = 0;         ///< only so many of the likeliest tokens are drawn from; 0: all
  std::uint64_t seed = 0;
  std::string stop = {};  ///< generation ends once the generated text ends with it; empty: never
};

/// Throws `UsageError` if a generation cannot mean anything, whatever the model.
void expect_sound(const GenerationSettings& generation);

/// Throws `UsageError` if the model does not predict what follows, or if the text would grow beyond what the model's scheme can
/// do; it then says how many tokens are possible.
void expect_generable(const config::Settings& settings, const nn::Transformer& model, const GenerationSettings& generation);

/// Told each token as soon as it is there; returns false to give the generation up.
using TakeToken = std::function<bool(std::uint8_t token)>;

/// Continues the prompt at positions 0, 1, 2 …, with a cache of keys and values. The t-th token is drawn from the stream
/// ("generate", t) of the seed: the same settings give the same text. False if `take` gave it up.
bool generate(const nn::Transformer& model, const GenerationSettings& generation, const TakeToken& take);

/// The token to go on with: a draw from softmax(logits / temperature) over the top-k logits.
std::size_t choose_token(const std::vector<double>& logits, double temperature, Index top_k, Stream stream);

}  // namespace ropewalk
