#include "experiments/run/estimate.hpp"

#include <gtest/gtest.h>

#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

TEST(ForwardFlops, AreThoseCountedByHand) {
  nn::TransformerSettings model = toy::settings("{layers: 3, heads: 2, width: 8, hidden: 20}").model;
  // A token and layer: qkv 3·8·8 and out 8·8, up and down 8·20 each: 576 weights. Head: 10·8. Two operations a weight.
  const double weights = 2 * (3 * 576 + 80);
  // A pair of tokens and layer: 2·8 for its score, 2·8 for its value. A causal model of 5 tokens has 15 pairs.
  EXPECT_DOUBLE_EQ(forward_flops(model, 10, 5), 5 * weights + 15 * 32 * 3);
  model.kind = "encoder";
  EXPECT_DOUBLE_EQ(forward_flops(model, 10, 5), 5 * weights + 25 * 32 * 3);
  model.activation = "swiglu";  // a third matrix
  EXPECT_DOUBLE_EQ(forward_flops(model, 10, 5), 5 * (weights + 2 * 3 * 160) + 25 * 32 * 3);
}

TEST(RunFlops, AreThreeForwardPassesAStepAndEveryEvaluation) {
  config::Settings settings = toy::settings("{layers: 1, heads: 2, width: 8}", "steps: 10");
  const auto forward = [&](Index length) { return forward_flops(settings.model, 256, length); };
  const double training = 10 * 3 * 6 * forward(16);
  const double evaluation = 24 * forward(16) + 9 * forward(40);  // 399 targets among 400 tokens
  EXPECT_DOUBLE_EQ(run_flops(settings, 1000), training + evaluation);
  EXPECT_LT(run_flops(settings, 100), training + evaluation) << "a short text holds fewer windows";
  settings.evaluate.every = 4;  // after steps 4, 8 and 10
  EXPECT_DOUBLE_EQ(run_flops(settings, 1000), training + 3 * evaluation);
  settings.evaluate.protocols.push_back("fixed_target");
  EXPECT_DOUBLE_EQ(run_flops(settings, 1000), training + 3 * (evaluation + 9 * forward(16) + 9 * forward(40)));
}

TEST(Estimator, CountsTheParametersOfEachModelByItself) {
  Estimator estimator;
  const auto parameters = [&](const std::string& more) {
    return estimator.estimate(toy::settings("{layers: 1, heads: 2, width: 8, hidden: 8, " + more + "}"), 1000).parameters;
  };
  // Embedding and head 2·256·8; qkv 192 + 24, out 64 + 8, up and down 2·(64 + 8); three norms of 16.
  const Index plain = 4096 + 216 + 72 + 144 + 48;
  EXPECT_EQ(parameters("position: {kind: none}"), plain);
  EXPECT_EQ(parameters("position: {kind: none}, tie_embeddings: true"), plain - 2048);
  EXPECT_EQ(parameters("position: {kind: t5, buckets: 16, max_distance: 40}"), plain + 16 * 2);
  EXPECT_EQ(parameters("position: {kind: t5, buckets: 32, max_distance: 40}"), plain + 32 * 2);
}

TEST(Estimator, TimeFollowsTheWork) {
  Estimator estimator;
  config::Settings settings = toy::settings();
  const Estimate shorter = estimator.estimate(settings, 1000);
  settings.train.steps *= 10;
  const Estimate longer = estimator.estimate(settings, 1000);
  EXPECT_GT(shorter.seconds, 0);
  EXPECT_DOUBLE_EQ(longer.seconds / shorter.seconds, longer.flops / shorter.flops);
  EXPECT_GT(shorter.bytes, 4 * shorter.parameters) << "at least the parameters themselves";
}

}  // namespace
}  // namespace ropewalk
