#include "experiments/run/trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;

const char* const dropping = "{layers: 2, heads: 2, width: 8, dropout: 0.3, position: {kind: t5}}";

/// A trainer with a crew of its own.
class Training {
 public:
  explicit Training(config::Settings settings, int threads = 1)
      : settings_(std::move(settings)),
        crew_(threads - 1),
        trainer_(settings_, toy::corpus(), crew_, std::make_shared<Meter>()) {}

  Trainer* operator->() { return &trainer_; }

  /// Losses of the next steps.
  std::vector<double> steps(int count) {
    std::vector<double> losses;
    for (int i = 0; i < count; ++i) losses.push_back(trainer_.step().loss);
    return losses;
  }

  std::vector<double> parameters() const { return toy::parameters(trainer_.model()); }

 private:
  config::Settings settings_;
  Crew crew_;
  Trainer trainer_;
};

TEST(Trainer, LearnsTheText) {
  Training training(toy::settings("{layers: 1, heads: 2, width: 16}", "steps: 80, optimizer: {kind: adamw, rate: 0.02}"));
  const std::vector<double> losses = training.steps(80);
  EXPECT_NEAR(losses.front(), std::log(256.0), 0.2) << "a fresh model spreads its bets over all bytes";
  EXPECT_LT(losses.back(), 2.6) << "the text's letters alone have about 2.8 nats";
}

TEST(Trainer, HasTheSameBitsOnAnyNumberOfThreads) {
  Training one(toy::settings(dropping));
  const std::vector<double> losses = one.steps(6);
  for (int threads : {2, 3, 8}) {
    Training several(toy::settings(dropping), threads);
    EXPECT_EQ(several.steps(6), losses) << threads << " threads";
    EXPECT_EQ(several.parameters(), one.parameters());
  }
}

// Every byte follows from any that is seen, and from where both are.
TEST(Trainer, LearnsToPredictMaskedTokens) {
  const config::Settings settings = toy::settings("{layers: 1, heads: 2, width: 16, position: {kind: learned, beyond: clamp}}",
                                                  "steps: 1000, optimizer: {kind: adamw, rate: 0.01}", toy::masked());
  Corpus alphabet;
  for (int i = 0; i < 4000; ++i) alphabet.tokens.push_back(static_cast<std::uint8_t>('a' + i % 8));
  alphabet.training = 3200;
  Crew crew(0);
  Trainer trainer(settings, std::make_shared<const Corpus>(alphabet), crew, std::make_shared<Meter>());
  EXPECT_NEAR(trainer.step().loss, std::log(257.0), 0.2) << "a fresh model spreads its bets over all bytes and the mask";
  while (trainer.steps_done() < 1000) trainer.step();
  EXPECT_LT(trainer.evaluate().value()[0].loss(), 0.2) << "without a look at the others, ln 8";
}

TEST(Trainer, OfMaskedTokensIsTheSameOnAnyNumberOfThreadsAndAfterACheckpoint) {
  Training one(toy::settings(dropping, "steps: 12", toy::masked()));
  const std::vector<double> losses = one.steps(6);
  for (int threads : {2, 4}) {
    Training first(toy::settings(dropping, "steps: 12", toy::masked()), threads);
    Training second(toy::settings(dropping, "steps: 12", toy::masked()), threads);
    std::vector<double> found = first.steps(3);
    second->restore(first->save());
    for (double loss : second.steps(3)) found.push_back(loss);
    EXPECT_EQ(found, losses) << threads << " threads";
    EXPECT_EQ(second.parameters(), one.parameters());
  }
}

TEST(Trainer, GoesOnBitByBitFromACheckpointOfAnyStep) {
  Training whole(toy::settings(dropping));
  std::vector<double> losses = whole.steps(6);
  for (int saved_at = 0; saved_at <= 6; ++saved_at) {
    Training first(toy::settings(dropping)), second(toy::settings(dropping));
    first.steps(saved_at);
    second->restore(first->save());
    EXPECT_EQ(second->steps_done(), saved_at);
    const std::vector<double> rest(losses.begin() + saved_at, losses.end());
    EXPECT_EQ(second.steps(6 - saved_at), rest) << "saved at step " << saved_at;
    EXPECT_EQ(second.parameters(), whole.parameters());
    EXPECT_EQ(second->tokens_seen(), whole->tokens_seen());
  }
}

TEST(Trainer, CountsStepsAndTokensAndFollowsTheSchedule) {
  Training training(toy::settings("{layers: 1, heads: 2, width: 8}", "steps: 12, optimizer: {kind: adamw, rate: 0.01}"));
  EXPECT_DOUBLE_EQ(training->step().rate, 0.005);  // the first of two steps of warm-up
  EXPECT_DOUBLE_EQ(training->step().rate, 0.01);
  EXPECT_EQ(training->steps_done(), 2);
  EXPECT_EQ(training->tokens_seen(), 2 * 6 * 16);
}

TEST(Trainer, UpdatesWithTheScheduledRateAndTheClippedGradient) {
  Training training(
      toy::settings("{layers: 1, heads: 2, width: 8}", "steps: 12, clip: 0.01, optimizer: {kind: adamw, rate: 0.01, decay: 0}"));
  const std::vector<double> before = training.parameters();
  ASSERT_GT(training->step().gradient_norm, 0.01) << "before clipping";
  double largest = 0, squares = 0;
  const std::vector<double> after = training.parameters();
  for (std::size_t i = 0; i < after.size(); ++i) largest = std::max(largest, std::abs(after[i] - before[i]));
  EXPECT_NEAR(largest, 0.005, 1e-5) << "Adam's first step is as long as the rate, here half of it";
  for (const NamedArray& array : training->save().first_moment) {
    for (float value : array.values) squares += static_cast<double>(value) * static_cast<double>(value);
  }
  EXPECT_NEAR(std::sqrt(squares), (1 - 0.9) * 0.01, 1e-7);
}

TEST(Trainer, SavesParametersByNameAndShape) {
  Training training(toy::settings("{layers: 1, heads: 2, width: 8, position: {kind: t5}}"));
  const Checkpoint saved = training->save();
  ASSERT_EQ(saved.parameters.size(), saved.first_moment.size());
  std::size_t values = 0;
  for (const NamedArray& array : saved.parameters) {
    EXPECT_EQ(static_cast<Index>(array.values.size()), size_of(array.shape)) << array.name;
    values += array.values.size();
  }
  EXPECT_EQ(saved.parameters.front().name, "embed.weight");
  EXPECT_EQ(saved.parameters.front().shape, (Shape{256, 8}));
  EXPECT_EQ(values, training.parameters().size());
}

TEST(Trainer, RefusesTheCheckpointOfAnotherModel) {
  Training training(toy::settings("{layers: 1, heads: 2, width: 8, norm: layer}"));
  Checkpoint renamed = training->save();
  renamed.parameters.front().name = "embed.weights";
  EXPECT_EQ(message_of([&] { training->restore(renamed); }),
            "checkpoint: expected embed.weight [256, 8], got nothing of that name");
  Training wider(toy::settings("{layers: 1, heads: 2, width: 10, norm: layer}"));
  EXPECT_EQ(message_of([&] { training->restore(wider->save()); }), "checkpoint: expected embed.weight [256, 8], got [256, 10]");
  Checkpoint without_moment = training->save();
  without_moment.second_moment.pop_back();
  EXPECT_PRED_FORMAT2(IsSubstring, "got nothing of that name", message_of([&] { training->restore(without_moment); }));
}

TEST(Trainer, ANonFiniteLossLeavesTheLastFiniteState) {
  Training training(toy::settings("{layers: 1, heads: 2, width: 8}", "steps: 12, optimizer: {kind: adamw, rate: 1.0e+30}"));
  StepResult result;
  std::vector<double> before;
  Index steps = 0;
  do {
    before = training.parameters();
    steps = training->steps_done();
    result = training->step();
  } while (result.finite && steps < 11);
  ASSERT_FALSE(result.finite);
  EXPECT_FALSE(std::isfinite(result.loss) && std::isfinite(result.gradient_norm));
  EXPECT_EQ(training.parameters(), before);
  EXPECT_EQ(training->steps_done(), steps);
  EXPECT_EQ(training->tokens_seen(), steps * 6 * 16);
  for (double value : training.parameters()) ASSERT_TRUE(std::isfinite(value));
}

TEST(Trainer, RefusesATextWithoutRoomForASequence) {
  Crew crew(0);
  const config::Settings settings = toy::settings();
  const auto make = [&](std::size_t size) { Trainer(settings, toy::corpus(size, 0), crew, nullptr); };
  EXPECT_EQ(message_of<UsageError>([&] { make(16); }),
            "train.length: expected fewer than the 16 training tokens of the corpus, got 16");
  EXPECT_NO_THROW(make(17));
}

/// How often storage was asked of the system up to each of the first `steps` steps.
std::vector<std::int64_t> allocations(int threads, int steps) {
  const config::Settings settings = toy::settings(dropping, "steps: 100");
  const auto meter = std::make_shared<Meter>();
  const MeterScope scope(meter);
  Crew crew(threads - 1);
  Trainer trainer(settings, toy::corpus(), crew, meter);
  std::vector<std::int64_t> counts{meter->allocations()};
  for (int i = 0; i < steps; ++i) {
    trainer.step();
    counts.push_back(meter->allocations());
  }
  return counts;
}

TEST(Trainer, AllocatesNothingAfterTheFirstStep) {
  const std::vector<std::int64_t> counts = allocations(1, 10);
  EXPECT_GT(counts[1], counts[0]);
  for (std::size_t step = 2; step < counts.size(); ++step) EXPECT_EQ(counts[step], counts[1]) << "step " << step;
}

// Which thread takes which shard is chance, so one may meet its first shard late; but however long it goes on, each asks for no
// more than one alone does.
TEST(Trainer, EveryThreadAllocatesOnlyOnce) {
  const std::int64_t one = allocations(1, 1).back(), three = allocations(3, 200).back();
  EXPECT_GT(three, one);
  EXPECT_LE(three, 3 * one);
}

}  // namespace
}  // namespace ropewalk
