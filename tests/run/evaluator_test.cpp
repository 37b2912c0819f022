#include "experiments/run/evaluator.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "experiments/run/evaluation.hpp"
#include "framework/core/parallel.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

const std::shared_ptr<Meter> meter = std::make_shared<Meter>();

nn::Transformer make_model(const std::string& position) {
  const auto settings = toy::settings(fmt::format("{{layers: 1, heads: 2, width: 8, position: {}}}", position));
  return nn::Transformer(settings.model, Corpus::vocabulary, 16, Random(3));
}

/// Moves every parameter: a fresh model says nearly the same of every token.
void enliven(const nn::Transformer& model) {
  Stream stream = Random(4).stream("enliven");
  for (Index i = 0; i < model.parameter_count(); ++i) model.flat().data<float>()[i] += static_cast<float>(0.3 * stream.normal());
}

/// The slow, obvious way: one window at a time, softmax in double.
Score naive(const nn::Transformer& model, const Corpus& corpus, const std::vector<Window>& windows, Index length) {
  Score score;
  const bool whole = windows.back().first == 0;
  if (whole) {
    score.position_nats.resize(static_cast<std::size_t>(length));
    score.position_count.resize(static_cast<std::size_t>(length));
  }
  for (const Window& window : windows) {
    const std::uint8_t* text = corpus.tokens.data() + corpus.training + window.start;
    const std::vector<std::int32_t> inputs(text, text + length);
    const std::vector<double> logits = model(Tensor::of(inputs, {1, length})).values();
    for (Index i = window.first; i < length; ++i) {
      const double* row = logits.data() + i * Corpus::vocabulary;
      double sum = 0;
      Index best = 0;
      for (Index v = 0; v < Corpus::vocabulary; ++v) {
        sum += std::exp(row[v]);
        if (row[v] > row[best]) best = v;
      }
      const Index target = text[i + 1];
      const double nats = std::log(sum) - row[target];
      score.nats += nats;
      score.correct += best == target ? 1 : 0;
      ++score.scored;
      if (!whole) continue;
      score.position_nats[static_cast<std::size_t>(i)] += nats;
      ++score.position_count[static_cast<std::size_t>(i)];
    }
  }
  return score;
}

void expect_near(const Score& found, const Score& expected) {
  EXPECT_EQ(found.scored, expected.scored);
  EXPECT_EQ(found.correct, expected.correct);
  EXPECT_NEAR(found.nats, expected.nats, 1e-5 * expected.nats);
  EXPECT_EQ(found.position_count, expected.position_count);
  ASSERT_EQ(found.position_nats.size(), expected.position_nats.size());
  for (std::size_t i = 0; i < found.position_nats.size(); ++i) {
    EXPECT_NEAR(found.position_nats[i], expected.position_nats[i], 1e-4 * expected.position_nats[i]) << i;
  }
}

TEST(Evaluate, MatchesOneWindowAtATimeUnderEveryProtocol) {
  const auto model = make_model("{kind: alibi}");
  enliven(model);
  const auto corpus = toy::corpus();
  Crew crew(1);
  for (const char* protocol : {"nonoverlapping", "sliding", "fixed_target"}) {
    for (Index length : {8, 20, 48}) {
      const auto windows = protocol_windows(protocol, length, {900, 5, 6, 48});
      ASSERT_GT(windows.size(), 5u);
      SCOPED_TRACE(fmt::format("{} at {}", protocol, length));
      expect_near(evaluate(model, *corpus, windows, length, Random(0), crew, meter), naive(model, *corpus, windows, length));
    }
  }
}

TEST(Evaluate, HasTheSameBitsOnAnyNumberOfThreads) {
  const auto model = make_model("{kind: sinusoidal}");
  enliven(model);
  const auto corpus = toy::corpus(30'000);
  const auto windows = protocol_windows("nonoverlapping", 16, {5000, 1, 1, 16});  // three pieces
  Crew alone(0);
  const Score expected = evaluate(model, *corpus, windows, 16, Random(0), alone, meter);
  for (int threads : {2, 3, 8}) {
    Crew crew(threads - 1);
    const Score found = evaluate(model, *corpus, windows, 16, Random(0), crew, meter);
    EXPECT_EQ(found.nats, expected.nats) << threads << " threads";
    EXPECT_EQ(found.correct, expected.correct);
    EXPECT_EQ(found.position_nats, expected.position_nats);
  }
}

/// One window of `length`.
Score evaluate_one(const nn::Transformer& model, const Corpus& corpus, Index length, int helpers) {
  Crew crew(helpers);
  const auto windows = protocol_windows("nonoverlapping", length, {length + 1, 1, 1, length});
  EXPECT_EQ(windows.size(), 1u);
  return evaluate(model, corpus, windows, length, Random(0), crew, meter);
}

// Attention cuts a long window into pieces of 4096 queries.
TEST(Evaluate, HasTheSameBitsWhenThreadsShareOneLongWindow) {
  const auto corpus = toy::corpus(45'000);
  for (const char* position : {"{kind: none}", "{kind: rope}", "{kind: alibi}"}) {
    const auto model = make_model(position);
    enliven(model);
    for (Index length : {4095, 4096, 4097, 8193}) {
      SCOPED_TRACE(fmt::format("{} at {}", position, length));
      const Score expected = evaluate_one(model, *corpus, length, 0);
      EXPECT_EQ(expected.scored, length);
      for (int helpers : {1, 3}) {
        const Score found = evaluate_one(model, *corpus, length, helpers);
        EXPECT_EQ(found.nats, expected.nats) << helpers << " helpers";
        EXPECT_EQ(found.position_nats, expected.position_nats) << helpers << " helpers";
      }
    }
  }
}

TEST(Evaluate, OffersTheCrewToWhateverAPieceCanShare) {
  const auto model = make_model("{kind: none}");
  const auto corpus = toy::corpus();
  const auto windows = protocol_windows("nonoverlapping", 16, {17, 1, 1, 16});
  Crew crew(1);
  std::atomic<int> started = 0;
  const auto meet = [&](Index) {
    ++started;
    const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (started < 2 && std::chrono::steady_clock::now() < late) std::this_thread::yield();
    EXPECT_EQ(started, 2) << "one thread did both parts";
  };
  evaluate(model, *corpus, windows, 16, Random(0), crew, meter, [&](Index) {
    parallel(2, meet);
    return true;
  });
}

TEST(Evaluate, ReadsTheHeldOutPartAlone) {
  const auto model = make_model("{kind: none}");
  enliven(model);
  Corpus corpus = *toy::corpus(1000);
  const auto windows = protocol_windows("nonoverlapping", 16, {corpus.held_out(), 1, 1, 16});
  Crew crew(0);
  const double before = evaluate(model, corpus, windows, 16, Random(0), crew, meter).nats;
  std::fill_n(corpus.tokens.begin(), corpus.training, std::uint8_t{'q'});
  EXPECT_EQ(evaluate(model, corpus, windows, 16, Random(0), crew, meter).nats, before);
  corpus.tokens[static_cast<std::size_t>(corpus.training)] = 'q';
  EXPECT_NE(evaluate(model, corpus, windows, 16, Random(0), crew, meter).nats, before);
}

TEST(Evaluate, ScoresNothingAtALengthTheSchemeDoesNotReach) {
  const auto model = make_model("{kind: learned, max_length: 32, beyond: skip}");
  const auto corpus = toy::corpus();
  Crew crew(0);
  const auto windows = protocol_windows("nonoverlapping", 33, {500, 1, 1, 33});
  const Score score = evaluate(model, *corpus, windows, 33, Random(0), crew, meter);
  EXPECT_EQ(score.scored, 0);
  EXPECT_TRUE(std::isnan(score.loss()));
  EXPECT_TRUE(std::isnan(score.accuracy()));
  EXPECT_EQ(score.position_count, std::vector<Index>(33, 0));
  EXPECT_GT(evaluate(model, *corpus, windows, 32, Random(0), crew, meter).scored, 0);
}

TEST(ProtocolSettings, ReadNoMoreThanIsHeldOut) {
  config::EvaluateSettings settings;
  settings.lengths = {64, 16};
  settings.tokens = 100'000;
  EXPECT_EQ(protocol_settings(settings, toy::corpus(6000, 0.2)->held_out()).tokens, 1200);
  settings.tokens = 700;
  EXPECT_EQ(protocol_settings(settings, toy::corpus(6000, 0.2)->held_out()).tokens, 700);
  EXPECT_EQ(protocol_settings(settings, toy::corpus()->held_out()).longest, 64);
}

/// A score whose tokens have a loss of `nats` each.
Score score_of(double nats, Index scored, Index correct) {
  Score score;
  score.nats = nats * static_cast<double>(scored);
  score.scored = scored;
  score.correct = correct;
  return score;
}

EvaluateSeries series_of(const std::vector<std::string>& protocols) {
  EvaluateSeries series;
  series.protocol = protocols;
  series.length = {2, 4};
  series.bits_per_byte.emplace();
  return series;
}

TEST(AppendEvaluation, AddsARowToEverySeries) {
  EvaluateSeries series = series_of({"sliding", "fixed_target"});
  const std::vector<Score> scores{score_of(1, 10, 5), score_of(2, 10, 0), score_of(3, 10, 1), score_of(0, 0, 0)};
  append_evaluation(series, 7, 1, scores);
  append_evaluation(series, 9, 2, scores);
  EXPECT_EQ(series.step, (std::vector<std::int64_t>{7, 9}));
  EXPECT_EQ(series.stage, (std::vector<std::int64_t>{1, 2}));
  ASSERT_EQ(series.loss.size(), 8u);
  EXPECT_EQ(std::vector<double>(series.loss.begin() + 4, series.loss.begin() + 7), (std::vector<double>{1, 2, 3}));
  EXPECT_DOUBLE_EQ(series.perplexity[1], std::exp(2.0));
  EXPECT_DOUBLE_EQ(series.bits_per_byte->at(1), 2 / std::log(2.0));
  EXPECT_EQ(series.token_accuracy[0], 0.5);
  EXPECT_EQ(series.scored, (std::vector<std::int64_t>{10, 10, 10, 0, 10, 10, 10, 0}));
  EXPECT_TRUE(std::isnan(series.loss[3]) && std::isnan(series.perplexity[3]) && std::isnan(series.token_accuracy[3]));
  EXPECT_FALSE(series.position.has_value()) << "only the non-overlapping protocol has a loss for each index";
}

TEST(AppendEvaluation, PositionsAreThoseOfTheNonOverlappingProtocol) {
  EvaluateSeries series = series_of({"sliding", "nonoverlapping"});
  std::vector<Score> scores(4);
  scores[2].position_nats = {6, 3};
  scores[2].position_count = {3, 3};
  scores[3].position_nats = {4, 2, 1, 8};
  scores[3].position_count = {2, 2, 2, 2};
  append_evaluation(series, 1, 1, scores);
  ASSERT_TRUE(series.position.has_value());
  EXPECT_EQ(series.position->count, (std::vector<std::int64_t>{3, 3, 0, 0, 2, 2, 2, 2}));
  const std::vector<double> expected{2, 1, NAN, NAN, 2, 1, 0.5, 4};
  ASSERT_EQ(series.position->loss.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double found = series.position->loss[i];
    EXPECT_TRUE(found == expected[i] || (std::isnan(found) && std::isnan(expected[i]))) << i << ": " << found;
  }
}

}  // namespace
}  // namespace ropewalk
