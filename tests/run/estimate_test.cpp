#include "experiments/run/estimate.hpp"

#include <gtest/gtest.h>

#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

config::RunConfig run_of(const std::string& model = "{layers: 2, heads: 2, width: 8}", const std::string& train = "steps: 12") {
  return config::parse_plan(toy::config_text("unused", model, train), "toy").runs.back();
}

TEST(Estimator, CountsTheParametersOfEachModelByItself) {
  Estimator estimator({});
  const auto parameters = [&](const std::string& more) {
    return estimator.estimate(run_of("{layers: 1, heads: 2, width: 8, hidden: 8, " + more + "}"), 1000).parameters;
  };
  // Embedding and head 2·256·8; qkv 192 + 24, out 64 + 8, up and down 2·(64 + 8); three norms of 16.
  const Index plain = 4096 + 216 + 72 + 144 + 48;
  EXPECT_EQ(parameters("position: {kind: none}"), plain);
  EXPECT_EQ(parameters("position: {kind: none}, tie_embeddings: true"), plain - 2048);
  EXPECT_EQ(parameters("position: {kind: t5, buckets: 16, max_distance: 40}"), plain + 16 * 2);
  EXPECT_EQ(parameters("position: {kind: t5, buckets: 32, max_distance: 40}"), plain + 32 * 2);
}

TEST(Estimator, CountsTheMaskWhereTokensAreMasked) {
  Estimator estimator({});
  const auto parameters = [&](const std::string& task) {
    const std::vector<std::string> sets{"task.kind=" + task, "model.kind=encoder"};
    return estimator.estimate(config::parse_plan(toy::config_text("unused"), "toy", sets).runs.back(), 1000).parameters;
  };
  EXPECT_EQ(parameters("masked_text"), parameters("text") + 2 * 8) << "a row of the embedding and one of the head";
}

TEST(Estimator, TimeFollowsTheStepsAndTheEvaluationsThatAreLeft) {
  Estimator estimator({});
  config::RunConfig run = run_of();
  const double all = estimator.estimate(run, 1000).seconds, half = estimator.estimate(run, 1000, 6).seconds,
               none = estimator.estimate(run, 1000, 12).seconds;
  EXPECT_GT(none, 0) << "an evaluation";
  EXPECT_GT(half, none);
  EXPECT_NEAR(all - half, half - none, 1e-9 * all);
  run.settings.evaluate.every = 1;
  EXPECT_GT(estimator.estimate(run, 1000).seconds, all);
  EXPECT_LT(estimator.estimate(run, 50).seconds, estimator.estimate(run, 1000).seconds) << "fewer windows";
}

// Of 256 windows of 16 tokens: what they take beyond 512, of which attention looks at no more, is taken off.
TEST(Estimator, AttentionTakesTimeOnceAndByTheWindowItLooksAt) {
  Estimator estimator({});
  config::RunConfig run = run_of();
  run.settings.evaluate.lengths = {16};
  run.settings.record.attention = true;
  const auto attention = [&](Index every) {
    run.settings.evaluate.every = every;
    const auto seconds = [&](Index windows) {
      run.settings.evaluate.tokens = 16 * windows + 1;
      return estimator.estimate(run, 20'000).seconds;
    };
    return (seconds(512) - seconds(256)) - (seconds(768) - seconds(512));
  };
  const double once = attention(0);
  EXPECT_GT(once, 0);
  EXPECT_NEAR(attention(1), once, 1e-6 * once) << "however often scores are evaluated";
  run.settings.record.attention = false;
  EXPECT_NEAR(attention(0), 0, 1e-6 * once);
  EXPECT_EQ(measure_pace(run.settings, {}).attention_seconds.at(16), 0);
}

TEST(Estimator, MeasuresRunsThatDifferInRealNumbersOnce) {
  Estimator estimator({});
  const auto seconds = [&](const std::string& position) {
    return estimator.estimate(run_of("{layers: 1, heads: 2, width: 8, position: {" + position + "}}"), 1000).seconds;
  };
  EXPECT_EQ(seconds("kind: rope, base: 100"), seconds("kind: rope, base: 10000")) << "a second measurement would differ";
  EXPECT_NE(seconds("kind: rope, base: 100"), seconds("kind: alibi"));
}

TEST(Estimator, LengthsThatASchemeDoesNotReachTakeNoTime) {
  Estimator estimator({});
  config::RunConfig run = run_of("{layers: 1, heads: 2, width: 8, position: {kind: learned, beyond: skip}}");
  run.settings.evaluate.tokens = 113;  // seven windows of 16, two of 40
  const double two = estimator.estimate(run, 1000).seconds;
  run.settings.evaluate.tokens = 121;  // seven of 16, three of 40
  EXPECT_EQ(estimator.estimate(run, 1000).seconds, two);
  run.settings.evaluate.tokens = 129;  // eight of 16
  EXPECT_GT(estimator.estimate(run, 1000).seconds, two);
  EXPECT_EQ(measure_pace(run.settings, {}).reached, 16);
}

TEST(Pace, MemoryBeyondWhatWasMeasuredIsLinearInTheTokensOfAPiece) {
  Pace pace;
  pace.trained_bytes = 100;
  EXPECT_EQ(pace.peak_bytes(4096), 100);
  pace.held_bytes = 40;
  pace.evaluated_bytes = {{256, 20}, {2048, 80}};
  EXPECT_EQ(pace.peak_bytes(128), 100) << "less than training";
  EXPECT_EQ(pace.peak_bytes(2000), 120);
  EXPECT_EQ(pace.peak_bytes(8192), 40 + 4 * 80);
}

TEST(Estimator, MemoryHoldsTheModelAndItsOptimizer) {
  const Estimate estimate = Estimator({}).estimate(run_of(), 1000);
  EXPECT_GT(estimate.bytes, 4 * 4 * estimate.parameters) << "parameters, gradient and two moments";
}

}  // namespace
}  // namespace ropewalk
