#include "experiments/run/inspection.hpp"

#include <gtest/gtest.h>

#include "experiments/errors.hpp"
#include "experiments/run/parameters.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;

config::RunConfig run_of(const std::string& position, const std::string& more = "") {
  const std::string model = "{layers: 2, heads: 2, width: 16, position: " + position + more + "}";
  return config::parse_plan("name: toy\nmodel: " + model + "\ntrain: {length: 16}\nevaluate: {lengths: [16]}\n", "toy")
      .runs.front();
}

Inspection inspected(const std::string& position, Index length, const Checkpoint* trained = nullptr) {
  return inspect(run_of(position), length, trained);
}

std::string refusal(const std::string& position, Index length) {
  try {
    inspected(position, length);
  } catch (const UsageError& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected a refusal of " << position;
  return "";
}

TEST(Inspection, IsInDoubleAndOfTheShapesAsked) {
  const Inspection found = inspected("{kind: sum, parts: [{kind: sinusoidal}, {kind: rope}, {kind: alibi}]}", 20);
  for (const Tensor& part : {found.token_embedding, found.embedding, found.sum}) {
    EXPECT_EQ(part.shape(), (Shape{20, 16}));
    EXPECT_EQ(part.type(), Type::f64);
  }
  for (const Tensor& part : {found.bias, found.scores, found.weights}) {
    EXPECT_EQ(part.shape(), (Shape{2, 20, 20}));
    EXPECT_EQ(part.type(), Type::f64);
  }
  ASSERT_TRUE(found.rotation);
  EXPECT_EQ(found.rotation->cosine.shape(), (Shape{20, 4}));
  EXPECT_EQ(found.rotation->frequency.size(), 4u);
  EXPECT_EQ(found.rotation->facts.longest, 20);
  EXPECT_EQ(found.slopes.shape(), (Shape{2}));
  EXPECT_EQ(found.trained_length, 16);
}

TEST(Inspection, HasNothingThatASchemeHasNot) {
  const Inspection found = inspected("{kind: none}", 5);
  EXPECT_FALSE(found.embedding.defined() || found.rotation || found.slopes.defined() || found.bias.defined());
}

TEST(Inspection, ReadsTheSameTokensWhateverTheSeed) {
  config::RunConfig run = run_of("{kind: none}");
  const Inspection first = inspect(run, 9, nullptr);
  run.settings.seed = 5;
  const Inspection second = inspect(run, 9, nullptr);
  EXPECT_EQ(first.tokens, second.tokens);
  EXPECT_NE(first.scores.values(), second.scores.values());
}

TEST(Inspection, TakesTheParametersOfACheckpoint) {
  config::Settings settings = run_of("{kind: learned, max_length: 30}").settings;
  const nn::Transformer trained(settings.model, 256, 16, Random(77));
  Checkpoint checkpoint;
  checkpoint.step = 12;
  checkpoint.parameters = named_arrays(trained, trained.flat());
  const Inspection found = inspected("{kind: learned, max_length: 30}", 30, &checkpoint);
  std::vector<double> table;
  for (const Parameter& parameter : trained.parameters()) {
    if (parameter.name == "position.table") table = parameter.tensor->values();
  }
  EXPECT_EQ(found.embedding.values(), table);
  EXPECT_EQ(found.step, 12);
  checkpoint.parameters.pop_back();
  EXPECT_THROW(inspected("{kind: learned, max_length: 30}", 30, &checkpoint), UsageError);
}

TEST(Inspection, RefusesLengthsWithTheReason) {
  EXPECT_PRED_FORMAT2(IsSubstring, "--length 0: expected at least 1", refusal("{kind: none}", 0));
  EXPECT_PRED_FORMAT2(IsSubstring, "length 17 is beyond the table of 16 rows", refusal("{kind: learned}", 17));
  EXPECT_PRED_FORMAT2(IsSubstring, "nothing to say at this length", refusal("{kind: learned, beyond: skip}", 17));
  EXPECT_PRED_FORMAT2(IsSubstring, "length 17 is no grid", refusal("{kind: axial_rope}", 17));
  EXPECT_PRED_FORMAT2(IsSubstring, "take 40.2 GiB, more than the 4 GiB", refusal("{kind: none}", 30'000));
}

TEST(Inspection, IsOfThePositionsFromZeroWhateverTheSampler) {
  const Inspection drawn =
      inspect(run_of("{kind: alibi}", ", positions: {kind: randomized, range: 32, evaluation: drawn}"), 40, nullptr);
  EXPECT_EQ(drawn.bias.values(), inspected("{kind: alibi}", 40).bias.values());
}

}  // namespace
}  // namespace ropewalk
