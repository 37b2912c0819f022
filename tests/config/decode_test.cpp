#include "experiments/config/decode.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/config/toy.hpp"

namespace ropewalk::config {
namespace {

std::string errors_of(const std::string& text) {
  toy::Settings settings;
  return toy::errors_of(text, settings);
}

struct Bad {
  const char* text;
  const char* error;
};

// One mistake each, and the whole line a user sees.
const Bad bad_configs[] = {
    // Unknown keys.
    {"modle: {}", "c.yaml:1:1: modle: expected a known setting (name, seed, model, train), got modle; did you mean model?"},
    {"x: 1", "c.yaml:1:1: x: expected a known setting (name, seed, model, train), got x"},
    {"model:\n  head: 2",
     "c.yaml:2:3: model.head: expected a known setting (kind, heads, dropout, tied, position), got head; did you mean heads?"},
    {"rate: 1e-3", "c.yaml:1:1: rate: expected a known setting (name, seed, model, train), got rate; did you mean train.rate?"},
    {"base: 500",
     "c.yaml:1:1: base: expected a known setting (name, seed, model, train), got base; did you mean model.position.base?"},
    {"model: {position: {kind: alibi, base: 500}}",
     "c.yaml:1:33: model.position.base: expected a known setting (kind, slopes), got base"},
    {"model: {position: {kind: rope, bsae: 500}}",
     "c.yaml:1:32: model.position.bsae: expected a known setting (kind, base, layout, scaling), got bsae; did you mean base?"},
    // Wrong types.
    {"[1, 2]", "c.yaml:1:1: expected a map of settings, got a list"},
    {"hello", "c.yaml:1:1: expected a map of settings, got hello"},
    {"model: 3", "c.yaml:1:8: model: expected a map of settings, got 3"},
    {"model: [heads]", "c.yaml:1:8: model: expected a map of settings, got a list"},
    {"model: heads:2", "c.yaml:1:8: model: expected a map of settings, got heads:2; did you mean heads: 2?"},
    {"model: {position: {slopes: learned}}",
     "c.yaml:1:20: model.position.slopes: expected a known setting (kind), got slopes; name a kind that has it: alibi"},
    {"model:", "c.yaml:1:1: model: expected a map of settings, got nothing"},
    {"seed: two", "c.yaml:1:7: seed: expected an integer >= 0, got two"},
    {"seed: 1.5", "c.yaml:1:7: seed: expected an integer >= 0, got 1.5"},
    {"seed: 2.0", "c.yaml:1:7: seed: expected an integer >= 0, got 2.0; did you mean 2?"},
    {"seed: '2'", "c.yaml:1:7: seed: expected an integer >= 0, got \"2\"; did you mean 2?"},
    {"seed: 010", "c.yaml:1:7: seed: expected an integer >= 0, got 010; did you mean 10?"},
    {"seed: 65_536", "c.yaml:1:7: seed: expected an integer >= 0, got 65_536; did you mean 65536?"},
    {"seed: 0x10", "c.yaml:1:7: seed: expected an integer >= 0, got 0x10; did you mean 16?"},
    {"seed: 99999999999999999999",
     "c.yaml:1:7: seed: expected an integer >= 0, got 99999999999999999999, which does not fit 64 bits"},
    {"seed: {a: 1}", "c.yaml:1:7: seed: expected an integer >= 0, got a map"},
    {"seed: [1]", "c.yaml:1:7: seed: expected an integer >= 0, got a list"},
    {"seed:", "c.yaml:1:1: seed: expected an integer >= 0, got nothing"},
    {"name: [a]", "c.yaml:1:7: name: expected text, got a list"},
    {"name: ~", "c.yaml:1:7: name: expected text, got nothing"},
    {"train: {rate: .inf}", "c.yaml:1:15: train.rate: expected a number > 0, got .inf, which is not finite"},
    {"train: {rate: .nan}", "c.yaml:1:15: train.rate: expected a number > 0, got .nan, which is not finite"},
    {"train: {rate: 1e999}", "c.yaml:1:15: train.rate: expected a number > 0, got 1e999, which is beyond double precision"},
    {"train: {rate: 1_0.5}", "c.yaml:1:15: train.rate: expected a number > 0, got 1_0.5; did you mean 10.5?"},
    {"model: {tied: yes}", "c.yaml:1:15: model.tied: expected true or false, got yes; did you mean true?"},
    {"model: {tied: Off}", "c.yaml:1:15: model.tied: expected true or false, got Off; did you mean false?"},
    {"model: {tied: True}", "c.yaml:1:15: model.tied: expected true or false, got True; did you mean true?"},
    {"model: {tied: 1}", "c.yaml:1:15: model.tied: expected true or false, got 1"},
    {"model: {tied: 'true'}", "c.yaml:1:15: model.tied: expected true or false, got \"true\"; did you mean true?"},
    // Bounds.
    {"seed: -1", "c.yaml:1:7: seed: expected an integer >= 0, got -1"},
    {"model: {heads: 0}", "c.yaml:1:16: model.heads: expected an integer in [1, 64], got 0"},
    {"model: {heads: 65}", "c.yaml:1:16: model.heads: expected an integer in [1, 64], got 65"},
    {"model: {dropout: 1}", "c.yaml:1:18: model.dropout: expected a number in [0, 1), got 1"},
    {"train: {rate: 0}", "c.yaml:1:15: train.rate: expected a number > 0, got 0"},
    // Words and kinds.
    {"model: {kind: decodr}", "c.yaml:1:15: model.kind: expected one of decoder, encoder, got decodr; did you mean decoder?"},
    {"model: {kind: rnn}", "c.yaml:1:15: model.kind: expected one of decoder, encoder, got rnn"},
    {"model: {position: {kind: ropee}}",
     "c.yaml:1:26: model.position.kind: expected one of none, rope, alibi, sum, got ropee; did you mean rope?"},
    {"model: {position: {kind: [rope]}}", "c.yaml:1:26: model.position.kind: expected one of none, rope, alibi, sum, got a list"},
    {"model: {position: rope}", "c.yaml:1:19: model.position: expected a map of settings, got rope; did you mean {kind: rope}?"},
    {"model: {position: [rope]}", "c.yaml:1:19: model.position: expected a map of settings, got a list"},
    {"model: {position: {kind: rope, layout: hallf}}",
     "c.yaml:1:40: model.position.layout: expected one of interleaved, half, got hallf; did you mean half?"},
    {"model: {position: {kind: rope, scaling: {kind: linear, factor: 0.5}}}",
     "c.yaml:1:64: model.position.scaling.factor: expected a number >= 1, got 0.5"},
    {"model: {position: {kind: rope, scaling: {kind: linaer}}}",
     "c.yaml:1:48: model.position.scaling.kind: expected one of none, linear, got linaer; did you mean linear?"},
    {"model: {position: {kind: rope, scaling: linear}}",
     "c.yaml:1:41: model.position.scaling: expected a map of settings, got linear; did you mean {kind: linear}?"},
    {"model: {position: {kind: rope, scaling: {kind: linear, fator: 2}}}",
     "c.yaml:1:56: model.position.scaling.fator: expected a known setting (kind, factor, from), got fator; did you mean factor?"},
    {"model: {position: {kind: rope, scaling: {kind: linear, layout: half}}}",
     "c.yaml:1:56: model.position.scaling.layout: expected a known setting (kind, factor, from), got layout; did you mean "
     "model.position.layout?"},
    // Lists of kinds.
    {"model: {position: {kind: sum, parts: rope}}",
     "c.yaml:1:38: model.position.parts: expected a list of 2 to 3 kinds, got rope; did you mean [{kind: rope}]?"},
    {"model: {position: {kind: sum, parts: {kind: rope, base: 5}}}",
     "c.yaml:1:38: model.position.parts: expected a list of 2 to 3 kinds, got a map; did you mean [{kind: rope, base: 5}]?"},
    {"model: {position: {kind: sum, parts: []}}",
     "c.yaml:1:38: model.position.parts: expected a list of 2 to 3 kinds, got 0 elements"},
    {"model: {position: {kind: sum, parts: [{kind: rope}]}}",
     "c.yaml:1:38: model.position.parts: expected a list of 2 to 3 kinds, got 1 element"},
    {"model: {position: {kind: sum, parts: [rope, {kind: alibi}]}}",
     "c.yaml:1:39: model.position.parts[0]: expected a map of settings, got rope; did you mean {kind: rope}?"},
    {"model: {position: {kind: sum, parts: [{kind: rope}, {slopes: learned}]}}",
     "c.yaml:1:53: model.position.parts[1].kind: expected one of none, rope, alibi, sum, got nothing"},
    {"model: {position: {kind: sum, parts: [{kind: rope}, {kind: albi}]}}",
     "c.yaml:1:60: model.position.parts[1].kind: expected one of none, rope, alibi, sum, got albi; did you mean alibi?"},
    {"model: {position: {kind: sum, parts: [{kind: rope}, {kind: alibi, slops: learned}]}}",
     "c.yaml:1:67: model.position.parts[1].slops: expected a known setting (kind, slopes), got slops; did you mean slopes?"},
    {"model: {position: {kind: sum, parts: [{kind: rope, slopes: fixed}, {kind: none}]}}",
     "c.yaml:1:52: model.position.parts[0].slopes: expected a known setting (kind, base, layout, scaling), got slopes"},
    {"model: {position: {kind: sum, parts: [{kind: none}, {kind: sum, parts: [{kind: none}, {kind: alibi, slopes: lerned}]}]}}",
     "c.yaml:1:109: model.position.parts[1].parts[1].slopes: expected one of fixed, learned, got lerned; did you mean learned?"},
    // Lists.
    {"train: {betas: 0.9}", "c.yaml:1:16: train.betas: expected a list of 2 numbers in [0, 1), got 0.9; did you mean [0.9]?"},
    {"train: {betas: [0.9]}", "c.yaml:1:16: train.betas: expected a list of 2 numbers in [0, 1), got 1 element"},
    {"train: {betas: [0.9, 0.9, 0.9]}", "c.yaml:1:16: train.betas: expected a list of 2 numbers in [0, 1), got 3 elements"},
    {"train: {betas: [0.9, 1.0]}", "c.yaml:1:22: train.betas[1]: expected a number in [0, 1), got 1.0"},
    {"train: {lengths: []}", "c.yaml:1:18: train.lengths: expected a list of at least 1 integers >= 1, got 0 elements"},
    {"train: {lengths: [64, [128]]}", "c.yaml:1:23: train.lengths[1]: expected an integer >= 1, got a list"},
    {"train: {lengths: {a: 1}}", "c.yaml:1:18: train.lengths: expected a list of at least 1 integers >= 1, got a map"},
    {"train: {protocols: [slidng]}",
     "c.yaml:1:21: train.protocols[0]: expected one of sliding, nonoverlapping, got slidng; did you mean sliding?"},
};

TEST(Decode, SaysWhatIsWrong) {
  for (const Bad& bad : bad_configs) EXPECT_EQ(errors_of(bad.text), bad.error) << bad.text;
}

TEST(Decode, FindsAllMistakesAtOnce) {
  EXPECT_EQ(errors_of("seed: -1\n"
                      "model:\n"
                      "  heads: many\n"
                      "  heads: 2\n"
                      "  position: {kind: rope, base: 1, layout: none}\n"
                      "train:\n"
                      "  betas: [2, 0.9, x]\n"
                      "  rte: 1\n"),
            "c.yaml:1:7: seed: expected an integer >= 0, got -1\n"
            "c.yaml:3:10: model.heads: expected an integer in [1, 64], got many\n"
            "c.yaml:4:3: expected each key once, got heads again, first given at c.yaml:3:3\n"
            "c.yaml:5:32: model.position.base: expected a number > 1, got 1\n"
            "c.yaml:5:43: model.position.layout: expected one of interleaved, half, got none\n"
            "c.yaml:7:10: train.betas: expected a list of 2 numbers in [0, 1), got 3 elements\n"
            "c.yaml:7:11: train.betas[0]: expected a number in [0, 1), got 2\n"
            "c.yaml:7:19: train.betas[2]: expected a number in [0, 1), got x\n"
            "c.yaml:8:3: train.rte: expected a known setting (rate, betas, lengths, protocols), got rte; did you mean rate?");
}

TEST(Decode, FindsAllMistakesInAListOfKindsAtOnce) {
  EXPECT_EQ(
      errors_of("model:\n"
                "  position:\n"
                "    kind: sum\n"
                "    parts:\n"
                "      - {kind: rope, base: 1, scaling: {kind: linear, factor: 0}}\n"
                "      - kind: alibo\n"
                "      - 3\n"
                "      - kind: alibi\n"
                "        slope: learned\n"),
      "c.yaml:5:7: model.position.parts: expected a list of 2 to 3 kinds, got 4 elements\n"
      "c.yaml:5:28: model.position.parts[0].base: expected a number > 1, got 1\n"
      "c.yaml:5:63: model.position.parts[0].scaling.factor: expected a number >= 1, got 0\n"
      "c.yaml:6:15: model.position.parts[1].kind: expected one of none, rope, alibi, sum, got alibo; did you mean alibi?\n"
      "c.yaml:7:9: model.position.parts[2]: expected a map of settings, got 3\n"
      "c.yaml:9:9: model.position.parts[3].slope: expected a known setting (kind, slopes), got slope; did you mean slopes?");
}

TEST(Decode, WritesAListOfKinds) {
  toy::Settings settings;
  ASSERT_EQ(toy::errors_of("model: {position: {kind: sum, parts: [{kind: alibi, slopes: learned}, {kind: none},\n"
                           "                                        {kind: rope, scaling: {kind: linear, factor: 4}}]}}",
                           settings),
            "");
  const auto& parts = dynamic_cast<const toy::Sum&>(*settings.model.position).parts;
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(dynamic_cast<const toy::Alibi&>(*parts[0]).slopes, "learned");
  EXPECT_EQ(parts[1].kind(), "none");
  EXPECT_EQ(dynamic_cast<const toy::Linear&>(*dynamic_cast<const toy::Rope&>(*parts[2]).scaling).factor, 4.0);
}

TEST(Decode, AMentionedListOfKindsReplacesTheOneBefore) {
  toy::Settings settings;
  ASSERT_EQ(toy::errors_of("model: {position: {kind: sum}}", settings), "");
  const auto& parts = [&]() -> const auto& { return dynamic_cast<const toy::Sum&>(*settings.model.position).parts; };
  ASSERT_EQ(parts().size(), 2u);
  EXPECT_EQ(parts()[1].kind(), "alibi");
  ASSERT_EQ(toy::errors_of("model: {position: {kind: sum, parts: [{kind: none}, {kind: none}, {kind: none}]}}", settings), "");
  ASSERT_EQ(parts().size(), 3u);
  EXPECT_EQ(parts()[1].kind(), "none");
}

TEST(Decode, WritesEveryType) {
  toy::Settings settings;
  ASSERT_EQ(toy::errors_of("name: 12\n"
                           "seed: 1e3\n"
                           "model: {kind: encoder, heads: 8, dropout: 0.5, tied: true,\n"
                           "        position: {kind: rope, base: 500, scaling: {kind: linear, factor: 4}}}\n"
                           "train: {rate: 1e-2, betas: [0, 0.5], lengths: [1, 2, 3], protocols: []}\n",
                           settings),
            "");
  EXPECT_EQ(settings.name, "12");
  EXPECT_EQ(settings.seed, 1000);
  EXPECT_EQ(settings.model.kind, "encoder");
  EXPECT_EQ(settings.model.heads, 8);
  EXPECT_EQ(settings.model.dropout, 0.5);
  EXPECT_TRUE(settings.model.tied);
  const auto& rope = dynamic_cast<const toy::Rope&>(*settings.model.position);
  EXPECT_EQ(rope.base, 500.0);
  EXPECT_EQ(rope.layout, "interleaved");
  EXPECT_EQ(dynamic_cast<const toy::Linear&>(*rope.scaling).factor, 4.0);
  EXPECT_EQ(settings.train.rate, 0.01);
  EXPECT_EQ(settings.train.betas, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(settings.train.lengths, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_TRUE(settings.train.protocols.empty());
}

TEST(Decode, LeavesOutNothingItWasNotTold) {
  toy::Settings settings;
  settings.seed = 9;
  ASSERT_EQ(toy::errors_of("model: {heads: 2}", settings), "");
  EXPECT_EQ(settings.seed, 9);
  EXPECT_EQ(settings.model.heads, 2);
  EXPECT_EQ(settings.train.rate, 1e-3);
}

TEST(Decode, AMentionedSelectionStartsFromItsDefaults) {
  toy::Settings settings;
  ASSERT_EQ(toy::errors_of("model: {position: {kind: rope, base: 7}}", settings), "");
  ASSERT_EQ(toy::errors_of("model: {position: {layout: half}}", settings), "");
  const auto& rope = dynamic_cast<const toy::Rope&>(*settings.model.position);
  EXPECT_EQ(rope.base, 10000.0);
  EXPECT_EQ(rope.layout, "half");
}

TEST(Decode, SortsItsComplaints) {
  try {
    Complaints complaints;
    complaints.add({"b.yaml", 1, 1}, "x", "later");
    complaints.add({"a.yaml", 10, 2}, "x", "third");
    complaints.add({"a.yaml", 2, 9}, "x", "second");
    complaints.add({"a.yaml", 2, 9}, "x", "second");
    complaints.add({"--set x=1", 0, 0}, "x", "first");
    complaints.raise();
    FAIL() << "nothing raised";
  } catch (const ConfigErrors& errors) {
    EXPECT_STREQ(errors.what(), "--set x=1: x: first\na.yaml:2:9: x: second\na.yaml:10:2: x: third\nb.yaml:1:1: x: later");
    EXPECT_EQ(errors.complaints().size(), 4u);
  }
}

}  // namespace
}  // namespace ropewalk::config
