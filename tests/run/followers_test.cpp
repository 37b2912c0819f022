#include "experiments/run/followers.hpp"

#include <atomic>

#include "experiments/run/text_task.hpp"
#include "tests/run/thread_ranks.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

const char* const dropping = "{layers: 2, heads: 2, width: 8, dropout: 0.3, position: {kind: t5}}";

/// What a training and its evaluation come to.
struct Outcome {
  std::vector<double> losses, parameters, evaluated, by_position, entropy, distance;
  bool operator==(const Outcome&) const = default;
};

class Followers : public toy::InDirectory {
 protected:
  config::Settings settings(const std::vector<std::string>& sets = {}) const {
    const std::string text = toy::config_text(text_.string(), dropping);
    return config::parse_plan(text, "toy", sets).runs.front().settings;
  }

  /// Calls `work` with a trainer on the rank that leads, while the others follow.
  static void train(int ranks, int threads, const config::Settings& settings, const std::shared_ptr<const Corpus>& corpus,
                    const std::function<void(Trainer&)>& work) {
    on_ranks(ranks, [&](Ranks& ranks) {
      Crew crew(threads - 1);
      if (!ranks.leads()) return follow(ranks, crew);
      const Leadership leadership(ranks);
      const auto meter = std::make_shared<Meter>();
      Trainer trainer(settings, corpus, crew, meter, ranks);
      work(trainer);
    });
  }

  Outcome outcome(int ranks, int threads, const std::vector<std::string>& sets) const {
    Outcome outcome;
    const config::Settings settings = this->settings(sets);
    const auto corpus = std::make_shared<const Corpus>(read_corpus(text_, 0.2));
    train(ranks, threads, settings, corpus, [&](Trainer& trainer) {
      for (int step = 0; step < 4; ++step) outcome.losses.push_back(trainer.step().loss);
      outcome.parameters = toy::parameters(trainer.model());
      const std::vector<Score> scores = trainer.evaluate().value();
      for (const Score& score : scores) {
        outcome.evaluated.insert(outcome.evaluated.end(),
                                 {score.nats, static_cast<double>(score.correct), static_cast<double>(score.scored)});
        outcome.by_position.insert(outcome.by_position.end(), score.position_nats.begin(), score.position_nats.end());
      }
      const AttentionMeans attention = trainer.attention().value();
      outcome.entropy = attention.entropy;
      outcome.distance = attention.mean_distance;
      outcome.losses.push_back(trainer.step().loss);
    });
    return outcome;
  }

  const std::filesystem::path text_ = write("text", toy::text(60'000));
};

TEST_F(Followers, ChangeNoBitHoweverManyTheyAre) {
  for (const char* shards : {"3", "5", "1"}) {
    SCOPED_TRACE(shards);
    const std::vector<std::string> settings{fmt::format("train.shards={}", shards), "evaluate.tokens=12000"};
    const Outcome expected = outcome(1, 1, settings);
    EXPECT_EQ(expected.losses.size(), 5u);
    for (int ranks : {2, 3, 4, 7}) EXPECT_EQ(outcome(ranks, 1, settings), expected) << ranks << " ranks";
    EXPECT_EQ(outcome(2, 3, settings), expected) << "2 ranks of 3 threads";
  }
}

TEST_F(Followers, ChangeNoBitOfMaskedTokens) {
  std::vector<std::string> settings = toy::masked(text_.string());
  settings.push_back("evaluate.tokens=12000");
  const Outcome expected = outcome(1, 1, settings);
  for (int ranks : {2, 3}) EXPECT_EQ(outcome(ranks, 2, settings), expected) << ranks << " ranks";
}

TEST_F(Followers, TakePartInOneTrainingAfterAnother) {
  const config::Settings settings = this->settings();
  const auto corpus = std::make_shared<const Corpus>(read_corpus(text_, 0.2));
  on_ranks(2, [&](Ranks& ranks) {
    Crew crew(0);
    if (!ranks.leads()) return follow(ranks, crew);
    const Leadership leadership(ranks);
    std::vector<double> losses;
    for (int run = 0; run < 2; ++run) {
      losses.push_back(Trainer(settings, corpus, crew, std::make_shared<Meter>(), ranks).step().loss);
    }
    EXPECT_EQ(losses[0], losses[1]);
  });
}

TEST_F(Followers, AnEvaluationThatIsGivenUpGivesNothingAndLeavesThemReady) {
  const config::Settings settings = this->settings();
  const auto corpus = std::make_shared<const Corpus>(read_corpus(text_, 0.2));
  std::vector<Score> undisturbed;
  train(1, 1, settings, corpus, [&](Trainer& trainer) { undisturbed = *trainer.evaluate(); });
  train(3, 2, settings, corpus, [&](Trainer& trainer) {
    EXPECT_FALSE(trainer.evaluate([](double) { return false; }));
    const std::optional<std::vector<Score>> scores = trainer.evaluate([](double share) { return share <= 1; });
    ASSERT_TRUE(scores);
    EXPECT_EQ(scores->front().nats, undisturbed.front().nats);
  });
}

/// A rank that looks for a message only when there is one.
class Patient : public ThreadRanks {
 public:
  using ThreadRanks::ThreadRanks;

  bool pending(int from) override {
    const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!ThreadRanks::pending(from) && std::chrono::steady_clock::now() < late) std::this_thread::yield();
    ++looked;
    return ThreadRanks::pending(from);
  }

  std::atomic<int> looked = 0;
};

TEST_F(Followers, LeaveOutThePiecesOfAnEvaluationThatIsGivenUp) {
  const config::Settings settings = this->settings({"evaluate.tokens=12000"});
  const auto corpus = std::make_shared<const Corpus>(read_corpus(text_, 0.2));
  const auto meter = std::make_shared<Meter>();
  const nn::Transformer model(settings.model, vocabulary_of(settings), settings.train.length, Random(0));
  Mail messages, broadcasts;
  const auto evaluate = [&](Ranks& ranks, const EvaluationProgress& progress) {
    Crew crew(0);
    return evaluate_lengths(model, *corpus, settings.evaluate, Random(0), crew, meter, progress, ranks);
  };
  std::thread other([&] {
    Patient second(1, 2, messages, broadcasts);
    EXPECT_THROW(evaluate(second, {}), Disbanded);
    EXPECT_GE(second.looked, 2) << "once for each piece";
  });
  ThreadRanks leader(0, 2, messages, broadcasts);
  EXPECT_FALSE(evaluate(leader, [](double) { return false; }));
  other.join();
}

TEST_F(Followers, AFailureOfOneIsTheLeadersAndAnotherTrainingCanFollow) {
  const config::Settings settings = this->settings();
  auto other = std::make_shared<Corpus>(read_corpus(text_, 0.2));
  other->fingerprint = "another text";
  const auto corpus = std::make_shared<const Corpus>(read_corpus(text_, 0.2));
  on_ranks(3, [&](Ranks& ranks) {
    Crew crew(0);
    if (!ranks.leads()) return follow(ranks, crew);
    const Leadership leadership(ranks);
    const auto begin = [&](const std::shared_ptr<const Corpus>& text) {
      Trainer(settings, text, crew, std::make_shared<Meter>(), ranks).step();
    };
    EXPECT_EQ(message_of<Error>([&] { begin(other); }),
              fmt::format("rank 1: {}: expected the text of rank 0, another text, got {}", text_.string(), corpus->fingerprint));
    EXPECT_NO_THROW(begin(corpus));
  });
}

}  // namespace
}  // namespace ropewalk
