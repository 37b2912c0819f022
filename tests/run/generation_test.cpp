#include "experiments/run/generation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiments/config/complaints.hpp"
#include "framework/ops/layout.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;

/// A model that says something of the next token, and its settings.
class Talker {
 public:
  explicit Talker(const std::string& position, Type type = Type::f32)
      : settings_(toy::settings(fmt::format("{{layers: 2, heads: 2, width: 16, position: {}}}", position))),
        model_(settings_.model, {Corpus::vocabulary, settings_.task->marks()}, settings_.train.length, Random(3), type) {
    Stream stream = Random(4).stream("enliven");
    for (Index i = 0; i < model_.parameter_count(); ++i) {
      dispatch(type, [&]<class T>(T) { model_.flat().data<T>()[i] += static_cast<T>(0.3 * stream.normal()); });
    }
  }

  const nn::Transformer& model() const { return model_; }

  std::string text(const GenerationSettings& generation) const {
    std::string text;
    EXPECT_TRUE(generate(model_, generation, [&](std::uint8_t token) {
      text += static_cast<char>(token);
      return true;
    }));
    return text;
  }

  void expect_fine(const GenerationSettings& generation) const {
    EXPECT_NO_THROW(expect_generable(settings_, model_, generation));
  }

 private:
  config::Settings settings_;
  nn::Transformer model_;
};

/// The slow, obvious way: the whole text through the model for every token.
std::string naive_greedy(const nn::Transformer& model, const std::string& prompt, Index count) {
  std::string text = prompt;
  for (Index t = 0; t < count; ++t) {
    std::vector<std::int32_t> tokens;
    for (const char byte : text) tokens.push_back(static_cast<std::uint8_t>(byte));
    const auto length = static_cast<Index>(tokens.size());
    const std::vector<double> logits = slice(model(Tensor::of(tokens, {1, length})), 1, length - 1, length).values();
    text += static_cast<char>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }
  return text.substr(prompt.size());
}

GenerationSettings greedy(const std::string& prompt, Index tokens) {
  return {.prompt = prompt, .tokens = tokens, .temperature = 0};
}

/// Past the trained length of 16 where the scheme has a word for it; all but grids, which do not grow.
std::vector<std::string> positions() {
  std::vector<std::string> positions;
  for (const auto& kind : positional::schemes()) {
    if (!kind.make()->traits().needs_grid && kind.name != "learned") positions.push_back("{kind: " + kind.name + "}");
  }
  positions.insert(positions.end(), {"{kind: learned, beyond: clamp}", "{kind: learned, beyond: interpolate}",
                                     "{kind: rope, scaling: {kind: dynamic_ntk}}", "{kind: rope, scaling: {kind: yarn}}"});
  return positions;
}

TEST(Generate, GreedyIsTheLikeliestTokenOfAFullForwardPassEachTime) {
  for (const std::string& position : positions()) {
    const Talker talker(position, Type::f64);
    const std::string text = talker.text(greedy("a strand of 12 ropes. ", 30));
    EXPECT_EQ(text, naive_greedy(talker.model(), "a strand of 12 ropes. ", 30)) << position;
  }
}

TEST(Generate, GreedyInSinglePrecisionToo) {
  const Talker talker("{kind: rope}");
  EXPECT_EQ(talker.text(greedy("twist", 40)), naive_greedy(talker.model(), "twist", 40));
}

TEST(Generate, OneOfTheLikeliestIsTheLikeliest) {
  const Talker talker("{kind: alibi}");
  GenerationSettings one{.prompt = "rope", .tokens = 40, .temperature = 3, .top_k = 1, .seed = 5};
  EXPECT_EQ(talker.text(one), talker.text(greedy("rope", 40)));
  one.top_k = 2;
  EXPECT_NE(talker.text(one), talker.text(greedy("rope", 40)));
}

TEST(Generate, TheSameSeedGivesTheSameText) {
  const Talker talker("{kind: alibi}");
  GenerationSettings generation{.prompt = "rope", .tokens = 40};
  const std::string first = talker.text(generation);
  EXPECT_EQ(first.size(), 40u);
  EXPECT_EQ(talker.text(generation), first);
  generation.tokens = 20;
  EXPECT_EQ(talker.text(generation), first.substr(0, 20)) << "how many are asked for changes none of them";
  generation.seed = 1;
  EXPECT_NE(talker.text(generation), first.substr(0, 20));
}

TEST(Generate, EveryTokenHasADrawOfItsOwn) {
  std::string text = Talker("{kind: alibi}").text({.prompt = "rope", .tokens = 256, .temperature = 1e6});
  std::sort(text.begin(), text.end());
  const auto distinct = std::unique(text.begin(), text.end()) - text.begin();
  EXPECT_NEAR(static_cast<double>(distinct), 256 * (1 - std::exp(-1.0)), 30) << "of 256 bytes, all alike, drawn 256 times";
}

TEST(Generate, EndsWithTheStopText) {
  const Talker talker("{kind: alibi}");
  GenerationSettings generation{.prompt = "rope", .tokens = 60};
  const std::string whole = talker.text(generation), stop = whole.substr(20, 3);
  generation.stop = stop;
  EXPECT_EQ(talker.text(generation), whole.substr(0, whole.find(stop) + 3));
  generation.stop = "no such text";
  EXPECT_EQ(talker.text(generation), whole);
}

TEST(Generate, TheStopTextIsNotLookedForInThePrompt) {
  const Talker talker("{kind: none}");
  GenerationSettings generation = greedy("rope", 8);
  const std::string whole = talker.text(generation);
  generation.stop = "e" + whole.substr(0, 1);
  ASSERT_EQ(whole.find(generation.stop), std::string::npos);
  EXPECT_EQ(talker.text(generation), whole);
}

TEST(Generate, GivesUpWhenAsked) {
  const Talker talker("{kind: none}");
  int taken = 0;
  EXPECT_FALSE(generate(talker.model(), greedy("rope", 8), [&](std::uint8_t) { return ++taken < 3; }));
  EXPECT_EQ(taken, 3);
}

TEST(ExpectSound, RefusesWhatCannotMeanAnything) {
  const auto refusal = [](const GenerationSettings& generation) {
    return message_of<UsageError>([&] { expect_sound(generation); });
  };
  EXPECT_NO_THROW(expect_sound({.prompt = "a", .tokens = 1'000'000}));
  EXPECT_EQ(refusal({.prompt = ""}), "--prompt: expected at least one byte to go on from, got nothing");
  EXPECT_EQ(refusal({.prompt = "a", .tokens = 0}), "--tokens: expected at least 1, got 0");
  EXPECT_EQ(refusal({.prompt = "a", .temperature = -1}), "--temperature: expected a number >= 0, got -1");
  EXPECT_PRED_FORMAT2(IsSubstring, "--temperature", refusal({.prompt = "a", .temperature = std::nan("")}));
  EXPECT_EQ(refusal({.prompt = "a", .top_k = -1}), "--top-k: expected at least 0, got -1");
}

TEST(ExpectGenerable, SaysHowFarATableReaches) {
  for (const char* beyond : {"error", "skip"}) {
    const config::Settings settings =
        config::parse_plan(toy::config_text("unused"), "toy",
                           {"evaluate.lengths=[16]", fmt::format("model.position={{kind: learned, beyond: {}}}", beyond)})
            .runs.front()
            .settings;
    const nn::Transformer model(settings.model, Corpus::vocabulary, settings.train.length, Random(3));
    const auto expect = [&](std::size_t prompt, Index tokens) {
      expect_generable(settings, model, {.prompt = std::string(prompt, 'a'), .tokens = tokens});
    };
    EXPECT_NO_THROW(expect(10, 7)) << "the last token is not read again";
    const std::string few = message_of<UsageError>([&] { expect(10, 8); });
    EXPECT_PRED_FORMAT2(IsSubstring, "length 17 is beyond", few);
    EXPECT_PRED_FORMAT2(IsSubstring, "after a prompt of 10 tokens, --tokens can be at most 7", few);
    EXPECT_PRED_FORMAT2(IsSubstring, "the prompt is too long", message_of<UsageError>([&] { expect(17, 1); }));
  }
}

TEST(ExpectGenerable, ATableThatIsContinuedReachesAnywhere) {
  for (const char* position : {"{kind: learned, beyond: clamp}", "{kind: none}"}) {
    Talker(position).expect_fine({.prompt = "a", .tokens = 1'000'000});
  }
}

TEST(ExpectGenerable, RefusesAGrid) {
  for (const char* kind : {"axial_rope", "learned_2d"}) {
    const config::Settings settings = config::parse_plan(toy::config_text("unused", "{heads: 2, width: 16}"), "toy",
                                                         {"evaluate.lengths=[16]", fmt::format("model.position.kind={}", kind)})
                                          .runs.front()
                                          .settings;
    const nn::Transformer model(settings.model, Corpus::vocabulary, settings.train.length, Random(3));
    EXPECT_PRED_FORMAT2(IsSubstring, "a sequence is a grid",
                        message_of<UsageError>([&] { expect_generable(settings, model, greedy("a", 1)); }));
  }
}

TEST(ExpectGenerable, RefusesAModelOfMaskedTokens) {
  const config::Settings settings = toy::settings("{heads: 2, width: 16}", "steps: 12", toy::masked());
  const nn::Transformer model(settings.model, 257, settings.train.length, Random(3));
  EXPECT_EQ(message_of<UsageError>([&] { expect_generable(settings, model, greedy("a", 1)); }),
            "model.kind: expected decoder, got encoder: it was trained on the task masked_text, to predict masked tokens from "
            "those on both sides, and cannot go on from a prompt");
}

/// How often each of `logits` is chosen in `count` draws.
std::vector<double> shares(const std::vector<double>& logits, double temperature, Index top_k, int count = 20'000) {
  std::vector<double> shares(logits.size());
  for (int i = 0; i < count; ++i) {
    shares[choose_token(logits, temperature, top_k, Random(7).stream("shares", static_cast<std::uint64_t>(i)))] += 1.0 / count;
  }
  return shares;
}

TEST(ChooseToken, DrawsFromTheSoftmaxOfTheLikeliest) {
  const std::vector<double> logits{std::log(1.0), std::log(4.0), std::log(2.0), std::log(3.0)};
  const auto expect_near = [&](const std::vector<double>& found, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 0.015) << i;  // about four deviations
  };
  expect_near(shares(logits, 1, 0), {0.1, 0.4, 0.2, 0.3});
  expect_near(shares(logits, 1, 9), {0.1, 0.4, 0.2, 0.3});
  expect_near(shares(logits, 1, 2), {0, 4.0 / 7, 0, 3.0 / 7});
  expect_near(shares(logits, 0.5, 0), {1.0 / 30, 16.0 / 30, 4.0 / 30, 9.0 / 30});
  EXPECT_EQ(shares(logits, 1, 2)[0], 0);
}

TEST(ChooseToken, ColdIsGreedyAndTheFirstOfEqualsWins) {
  const Stream stream = Random(1).stream("draw");
  EXPECT_EQ(choose_token({1, 3, 3, 2}, 0, 0, stream), 1u);
  EXPECT_EQ(choose_token({1, 3, 3, 2}, 5, 1, stream), 1u);
  EXPECT_EQ(choose_token({1, 3, 2.9, 2}, 1e-300, 0, stream), 1u);
}

TEST(ChooseToken, RefusesLogitsThatAreNoNumbers) {
  EXPECT_PRED_FORMAT2(IsSubstring, "logits are not finite", message_of<Error>([] {
                        choose_token({1, std::nan(""), 2}, 1, 0, Random(1).stream("draw"));
                      }));
}

}  // namespace
}  // namespace ropewalk
