#include "experiments/run/workload.hpp"

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

TEST(WindowsByLength, AddUpOverProtocols) {
  config::EvaluateSettings settings = toy::settings().evaluate;
  using Windows = std::map<Index, Index>;
  EXPECT_EQ(windows_by_length(settings, 1000), (Windows{{16, 24}, {40, 9}})) << "399 targets among 400 tokens";
  EXPECT_EQ(windows_by_length(settings, 100), (Windows{{16, 6}, {40, 2}})) << "a short text holds fewer";
  settings.protocols.push_back("fixed_target");
  EXPECT_EQ(windows_by_length(settings, 1000), (Windows{{16, 24 + 9}, {40, 9 + 9}}));
}

Workload after(config::RunConfig run, Index every, Index done) {
  run.settings.evaluate.every = every;
  return workload_after(run, done);
}

TEST(WorkloadAfter, CountsTheStepsAndEvaluationsThatAreLeft) {
  config::RunConfig run;
  run.settings = toy::settings("{layers: 1, heads: 2, width: 8}", "steps: 10");
  const auto expect = [](const Workload& work, Index steps, Index evaluations) {
    EXPECT_EQ(work.steps, steps);
    EXPECT_EQ(work.evaluations, evaluations);
  };
  expect(after(run, 0, 0), 10, 1);
  expect(after(run, 4, 0), 10, 3);  // after 4, 8 and 10
  expect(after(run, 5, 0), 10, 2);  // after 5 and 10
  expect(after(run, 4, 6), 4, 2);
  expect(after(run, 4, 8), 2, 1);
  expect(after(run, 5, 10), 0, 1);  // stopped before it was measured
  run.steps_before = 7;             // steps 8 to 17
  expect(after(run, 4, 0), 10, 4);  // after 8, 12, 16 and 17
  expect(after(run, 4, 12), 5, 2);
}

TEST(FlopsOf, AreThreeForwardPassesAStepAndOneAWindow) {
  const config::Settings settings = toy::settings("{layers: 1, heads: 2, width: 8}");
  const auto forward = [&](Index length) { return forward_flops(settings.model, 256, length); };
  EXPECT_DOUBLE_EQ(flops_of({10, 2}, settings, 1000), 10 * 3 * 6 * forward(16) + 2 * (24 * forward(16) + 9 * forward(40)));
}

TEST(FlopsOf, HaveAForwardPassMoreForEachWindowWhoseAttentionIsLookedAt) {
  config::Settings settings = toy::settings("{layers: 1, heads: 2, width: 8}");
  const double without = flops_of({10, 2}, settings, 1000);
  EXPECT_TRUE(attention_windows_by_length(settings, 1000).empty());
  settings.record.attention = true;
  EXPECT_EQ(attention_windows_by_length(settings, 1000), (std::map<Index, Index>{{16, 24}, {40, 9}}));
  const auto forward = [&](Index length) { return forward_flops(settings.model, 256, length); };
  EXPECT_DOUBLE_EQ(flops_of({10, 2}, settings, 1000), without + 24 * forward(16) + 9 * forward(40));
}

}  // namespace
}  // namespace ropewalk
