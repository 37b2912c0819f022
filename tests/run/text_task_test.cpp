#include "experiments/run/text_task.hpp"

#include <gtest/gtest.h>

#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;

std::string refusal(const config::Settings& settings, const Corpus& corpus) {
  return message_of<UsageError>([&] { expect_trainable(settings, corpus); });
}

TEST(ExpectTrainable, TakesADecoderWithEnoughText) { EXPECT_NO_THROW(expect_trainable(toy::settings(), *toy::corpus())); }

TEST(ExpectTrainable, RefusesAnEncoderSinceItSeesWhatItIsToPredict) {
  EXPECT_EQ(
      refusal(toy::settings("{kind: encoder, heads: 2, width: 8}"), *toy::corpus()),
      "model.kind: expected decoder for the task text, got encoder: every token of an encoder sees all others, also those it "
      "is to predict, so its loss would say nothing");
}

TEST(ExpectTrainable, OfMaskedTokensTakesAnEncoderAndRefusesADecoder) {
  const auto settings = [](const std::string& kind) {
    return toy::settings("{heads: 2, width: 8}", "steps: 12", {"task.kind=masked_text", "model.kind=" + kind});
  };
  EXPECT_NO_THROW(expect_trainable(settings("encoder"), *toy::corpus()));
  EXPECT_EQ(refusal(settings("decoder"), *toy::corpus()),
            "model.kind: expected encoder for the task masked_text, got decoder: a masked token is to be predicted from those on "
            "both sides, and a token of a decoder sees one side alone");
}

TEST(VocabularyOf, HasTheMaskOnlyWhereTokensAreMasked) {
  EXPECT_EQ(vocabulary_of(toy::settings()).size, 256);
  EXPECT_EQ(vocabulary_of(toy::settings("{heads: 2, width: 8}", "steps: 12", toy::masked())).size, 257);
}

TEST(ExpectTrainable, RefusesTooLittleTextToTrainOn) {
  EXPECT_EQ(
      refusal(toy::settings(), *toy::corpus(80, 0.8)),
      "train.length: expected fewer than the 16 training tokens of unused, got 16; use a longer text, or hold out less of it");
}

TEST(ExpectTrainable, RefusesALengthOfWhichNoWindowIsHeldOut) {
  EXPECT_EQ(refusal(toy::settings(), *toy::corpus(200, 0.2)),
            "evaluate.lengths: 40 tokens held out from unused hold no window of 40 tokens (nonoverlapping); use a longer text, "
            "raise task.validation, or leave the length out");
  EXPECT_NO_THROW(expect_trainable(toy::settings(), *toy::corpus(205, 0.2))) << "41 tokens: 40 and the last target";
}

TEST(CorpusOf, AMissingTextIsNamedAsTheConfigNamesIt) {
  config::Settings settings = config::parse_plan(toy::config_text("no/such/kjv.txt"), "toy").runs.front().settings;
  EXPECT_PRED_FORMAT2(IsSubstring, "corpus no/such/kjv.txt: expected a text, found nothing; run scripts/fetch-data kjv",
                      message_of([&] { corpus_of(settings); }));
}

}  // namespace
}  // namespace ropewalk
