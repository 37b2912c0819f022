#include "experiments/run/attention.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/run/sweep_files.hpp"

namespace ropewalk {
namespace {

const std::shared_ptr<Meter> meter = std::make_shared<Meter>();

nn::Transformer model_of(const config::Settings& settings) {
  return nn::Transformer(settings.model, Corpus::vocabulary, settings.train.length, Random(3));
}

/// Moves every parameter: the heads of a fresh model hardly differ.
void enliven(const nn::Transformer& model) {
  Stream stream = Random(4).stream("enliven");
  for (Index i = 0; i < model.parameter_count(); ++i) model.flat().data<float>()[i] += static_cast<float>(0.3 * stream.normal());
}

TEST(AttentionWindows, AreTheFirstNonOverlappingOnesThatFitAndAtLeastOne) {
  config::EvaluateSettings settings;
  settings.tokens = 100'000;
  const auto count = [&](Index length) { return attention_windows(settings, length, 1'000'000).size(); };
  EXPECT_EQ(count(64), 128u);
  EXPECT_EQ(count(5000), 1u);
  EXPECT_EQ(count(8192), 1u);
  EXPECT_EQ(count(65'536), 1u);
  EXPECT_EQ(attention_windows(settings, 64, 65).size(), 1u) << "a short text holds fewer";
  EXPECT_EQ(attention_windows(settings, 64, 1'000'000)[2].start, 128);
  settings.protocols = {"sliding"};
  EXPECT_EQ(count(64), 128u) << "whatever the protocols";
}

TEST(HeadMeans, AreMeansOverTheWindowsOneByOne) {
  const config::Settings settings = toy::settings("{layers: 2, heads: 2, width: 8, position: {kind: alibi}}");
  const nn::Transformer model = model_of(settings);
  enliven(model);
  const auto corpus = toy::corpus(20'000);
  const Index length = 50;  // 40 windows in a piece
  const auto windows = protocol_windows("nonoverlapping", length, {3500, 1, 1, length});
  ASSERT_EQ(windows.size(), 69u);
  std::vector<double> entropy(4), distance(4);
  for (const Window& window : windows) {
    const Batch batch = ropewalk::windows(*corpus, {corpus->training + window.start}, length);
    const AttentionSpread spread = model.mean_spread(batch.tokens);  // [layers, 1, heads]
    for (std::size_t head = 0; head < 4; ++head) {
      entropy[head] += spread.entropy.data<double>()[head] / 69;
      distance[head] += spread.distance.data<double>()[head] / 69;
    }
  }
  Crew alone(0);
  const HeadMeans found = head_means(model, *corpus, windows, length, Random(0), alone, meter);
  ASSERT_EQ(found.entropy.size(), 4u);
  for (std::size_t head = 0; head < 4; ++head) {
    EXPECT_NEAR(found.entropy[head], entropy[head], 1e-6) << head;
    EXPECT_NEAR(found.distance[head], distance[head], 1e-5) << head;
  }
  EXPECT_NE(found.entropy[0], found.entropy[1]);
  EXPECT_NE(found.entropy[0], found.entropy[2]);
  for (int threads : {2, 3}) {
    Crew crew(threads - 1);
    const HeadMeans again = head_means(model, *corpus, windows, length, Random(0), crew, meter);
    EXPECT_EQ(again.entropy, found.entropy) << threads << " threads";
    EXPECT_EQ(again.distance, found.distance) << threads << " threads";
  }
}

TEST(MeasureAttention, HasEachLengthInItsPlaceAndNothingWhereTheSchemeDoesNotReach) {
  config::Settings settings = toy::settings("{layers: 2, heads: 2, width: 8, position: {kind: learned, beyond: skip}}");
  settings.evaluate.lengths = {40, 4, 16};
  const nn::Transformer model = model_of(settings);
  enliven(model);
  const auto corpus = toy::corpus();
  Crew alone(0);
  const AttentionMeans found = *measure_attention(model, *corpus, settings, Random(0), alone, meter);
  EXPECT_EQ(found.layer, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(found.head, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(found.length, (std::vector<std::int64_t>{40, 4, 16}));
  ASSERT_EQ(found.entropy.size(), 12u);
  for (std::size_t head = 0; head < 4; ++head) {
    EXPECT_TRUE(std::isnan(found.entropy[3 * head]) && std::isnan(found.mean_distance[3 * head]));
    for (std::size_t e : {1u, 2u}) {
      const Index length = settings.evaluate.lengths[e];
      const auto windows = attention_windows(settings.evaluate, length, corpus->held_out());
      const HeadMeans means = head_means(model, *corpus, windows, length, Random(0), alone, meter);
      EXPECT_EQ(found.entropy[3 * head + e], means.entropy[head]);
      EXPECT_EQ(found.mean_distance[3 * head + e], means.distance[head]);
    }
  }
}

// In a model whose scores are all equal, query m sees m + 1 keys alike.
TEST(MeasureAttention, OfAModelThatPrefersNothingIsThatOfAUniformChoice) {
  const config::Settings settings = toy::settings("{layers: 1, heads: 2, width: 8}");
  const nn::Transformer model = model_of(settings);
  for (const Parameter& parameter : model.parameters()) {
    if (parameter.name.find("qkv") == std::string::npos) continue;
    std::fill_n(parameter.tensor->data<float>(), parameter.tensor->size(), 0.0f);
  }
  const auto corpus = toy::corpus();
  Crew alone(0);
  const AttentionMeans found = *measure_attention(model, *corpus, settings, Random(0), alone, meter);
  for (std::size_t i = 0; i < found.entropy.size(); ++i) {
    const auto length = static_cast<double>(found.length[i % found.length.size()]);
    EXPECT_NEAR(found.entropy[i], std::lgamma(length + 1) / length, 1e-6);
    EXPECT_NEAR(found.mean_distance[i], (length - 1) / 4, 1e-5);
  }
}

TEST(MeasureAttention, IsGivenUpWhenNobodyWantsIt) {
  const config::Settings settings = toy::settings();
  const nn::Transformer model = model_of(settings);
  Crew crew(1);
  const auto corpus = toy::corpus();
  EXPECT_FALSE(measure_attention(model, *corpus, settings, Random(0), crew, meter, [](double) { return false; }));
  std::vector<double> shares;
  EXPECT_TRUE(measure_attention(model, *corpus, settings, Random(0), crew, meter, [&](double share) {
    shares.push_back(share);
    return true;
  }));
  EXPECT_EQ(shares.size(), 2u) << "a piece of each length";
  EXPECT_EQ(shares[0], 0);
  EXPECT_GT(shares[1], 0);
}

class RunsWithAttention : public toy::SweepFiles {
 protected:
  config::RunConfig config(const std::vector<std::string>& sets) const {
    const config::Plan plan = this->plan("{layers: 2, heads: 2, width: 8, position: {kind: t5}}", "steps: 8", "");
    return config::parse_plan(plan.runs.back().yaml, "toy", sets).runs.back();
  }

  RunRecord record(const config::RunConfig& run) const { return read_run(file(run, "run.h5")); }

  RunRecord finished(const config::RunConfig& run) {
    toy::Witness witness;
    Crew crew(1);
    std::filesystem::create_directories(directory_of(run));
    EXPECT_EQ(execute_run(run, directory_of(run), {crew, witness, 10}, {}).status, "done");
    return record(run);
  }
};

TEST_F(RunsWithAttention, RecordItAndNothingElseDiffers) {
  const config::RunConfig with = config({"record.attention=true"}), without = config({});
  const RunRecord looked = finished(with), plain = finished(without);
  ASSERT_TRUE(looked.evaluate.attention.has_value());
  EXPECT_FALSE(plain.evaluate.attention.has_value());
  EXPECT_EQ(looked.evaluate.attention->length, looked.evaluate.length);
  EXPECT_EQ(outcome(with), outcome(without));
  EXPECT_EQ(looked.evaluate.token_accuracy, plain.evaluate.token_accuracy);
  EXPECT_EQ(looked.evaluate.position->count, plain.evaluate.position->count);
  for (std::size_t i = 0; i < plain.evaluate.position->loss.size(); ++i) {
    const double a = looked.evaluate.position->loss[i], b = plain.evaluate.position->loss[i];
    EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << i;
  }
}

TEST_F(RunsWithAttention, HaveItAfterTheLastStepAloneAndAsAnUndisturbedRunHasIt) {
  const config::RunConfig run = config({"record.attention=true", "evaluate.every=2"});
  interrupt_at(run, 4);
  EXPECT_FALSE(record(run).evaluate.step.empty());
  EXPECT_FALSE(record(run).evaluate.attention.has_value());
  const AttentionMeans resumed = *finished(run).evaluate.attention;
  std::filesystem::remove_all(directory_of(run));
  const AttentionMeans undisturbed = *finished(run).evaluate.attention;
  EXPECT_EQ(resumed.entropy, undisturbed.entropy);
  EXPECT_EQ(resumed.mean_distance, undisturbed.mean_distance);
}

TEST_F(RunsWithAttention, MeasureItAgainIfAStopCameInBetween) {
  const config::RunConfig run = config({"record.attention=true"});
  toy::Witness witness;
  int evaluated = 0;
  witness.at_progress = [&](const RunProgress& progress) {
    if (progress.evaluated && *progress.evaluated == 0 && ++evaluated == 2) throw std::runtime_error("stopped");
  };
  Crew crew(0);
  std::filesystem::create_directories(directory_of(run));
  EXPECT_THROW(execute_run(run, directory_of(run), {crew, witness, 0}, {}), std::runtime_error);
  EXPECT_TRUE(record(run).evaluate.step.empty()) << "the scores wait for the attention";
  EXPECT_TRUE(finished(run).evaluate.attention.has_value());
}

}  // namespace
}  // namespace ropewalk
