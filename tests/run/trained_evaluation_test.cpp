#include "experiments/run/trained_evaluation.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <ostream>

#include "experiments/record/file.hpp"
#include "experiments/run/text_task.hpp"
#include "framework/positional/scaling/scaling.hpp"
#include "tests/run/trained.hpp"

namespace ropewalk {
namespace {

using testing::IsSubstring;
namespace fs = std::filesystem;

const char* const plain = "{layers: 1, heads: 2, width: 8, position: {kind: alibi}}";
const char* const protocols = "evaluate.protocols=[nonoverlapping, sliding, fixed_target]";

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

/// Everything that was measured, NaN included.
void expect_same_bits(const EvaluateSeries& found, const EvaluateSeries& expected) {
  ASSERT_FALSE(expected.loss.empty());
  EXPECT_EQ(found.step, expected.step);
  EXPECT_EQ(found.protocol, expected.protocol);
  EXPECT_EQ(found.length, expected.length);
  EXPECT_EQ(bits(found.loss), bits(expected.loss));
  EXPECT_EQ(bits(found.perplexity), bits(expected.perplexity));
  EXPECT_EQ(bits(found.token_accuracy), bits(expected.token_accuracy));
  EXPECT_EQ(found.scored, expected.scored);
  EXPECT_EQ(bits(*found.bits_per_byte), bits(*expected.bits_per_byte));
  ASSERT_EQ(found.position.has_value(), expected.position.has_value());
  if (expected.position) {
    EXPECT_EQ(bits(found.position->loss), bits(expected.position->loss));
    EXPECT_EQ(found.position->count, expected.position->count);
  }
  ASSERT_EQ(found.attention.has_value(), expected.attention.has_value());
  if (expected.attention) {
    EXPECT_EQ(bits(found.attention->entropy), bits(expected.attention->entropy));
    EXPECT_EQ(bits(found.attention->mean_distance), bits(expected.attention->mean_distance));
  }
}

class TrainedEvaluation : public toy::Trained {
 protected:
  static EvaluationRecord evaluate(const fs::path& run, const std::vector<std::string>& sets = {}, int threads = 1) {
    const TrainedRun trained = read_trained_run(run);
    Crew crew(threads - 1);
    return *evaluate_trained(trained, changed_config(trained, sets, Use::evaluation), crew);
  }

  static std::string refusal(const fs::path& run, const std::vector<std::string>& sets) {
    return message_of<UsageError>([&] { evaluate(run, sets); });
  }
};

/// A model whose text is evaluated at trained and longer lengths, as far as its scheme has them.
struct Case {
  std::string name;
  std::string model;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.model; }

std::string model_with(const std::string& position, const std::string& more = "") {
  return fmt::format("{{layers: 2, heads: 2, width: 16, position: {}{}}}", position, more);
}

/// Every scheme there is, as it comes; every scaling of rope and every sampler; and schemes whose behaviour beyond the trained
/// length is a choice.
std::vector<Case> cases() {
  std::vector<Case> cases;
  for (const auto& kind : positional::schemes()) cases.push_back({kind.name, model_with("{kind: " + kind.name + "}")});
  for (const auto& kind : positional::scalings()) {
    const std::string factors = kind.name == "longrope" ? ", factors: [1, 2, 3, 4]" : "";
    cases.push_back({"rope_" + kind.name, model_with("{kind: rope, scaling: {kind: " + kind.name + factors + "}}")});
  }
  for (const auto& kind : positional::samplers()) {
    const std::string range = kind.name == "randomized" ? ", range: 80, evaluation: drawn" : "";
    cases.push_back(
        {"sinusoidal_" + kind.name, model_with("{kind: sinusoidal}", ", positions: {kind: " + kind.name + range + "}")});
  }
  for (const char* beyond : {"skip", "interpolate", "clamp"}) {
    cases.push_back({fmt::format("learned_{}", beyond), model_with(fmt::format("{{kind: learned, beyond: {}}}", beyond))});
  }
  cases.push_back({"alibi_learned", model_with("{kind: alibi, slopes: learned}")});
  return cases;
}

class EveryScheme : public TrainedEvaluation, public testing::WithParamInterface<Case> {
 protected:
  /// With lengths that the scheme can do: 16 and 64 are both grids of the same proportions.
  config::RunConfig config_for(const std::string& model) const {
    const auto at = [&](const char* lengths) {
      return config(model, {lengths, "evaluate.targets=8", protocols, "record.attention=true"});
    };
    try {
      return at("evaluate.lengths=[16, 64]");
    } catch (const UsageError&) {
      return at("evaluate.lengths=[16]");
    }
  }
};

TEST_P(EveryScheme, EvaluatesToTheBitsThatTheRunRecorded) {
  const fs::path run = train(config_for(GetParam().model));
  const RunRecord recorded = read_run(run / "run.h5");
  const EvaluationRecord found = evaluate(run);
  expect_same_bits(found.evaluate, recorded.evaluate);
  EXPECT_EQ(found.parameters, recorded.parameters);
  EXPECT_EQ(found.config, recorded.config);
  ASSERT_TRUE(recorded.evaluate.attention.has_value());
  for (std::size_t i = 0; i < found.evaluate.loss.size(); ++i) {
    EXPECT_TRUE(found.evaluate.scored[i] == 0 || found.evaluate.loss[i] < 20) << "a value that says something";
  }
}

INSTANTIATE_TEST_SUITE_P(TrainedRun, EveryScheme, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

TEST_F(TrainedEvaluation, OnlyTheSchemesWithoutAWordBeyondTheirLengthAreTriedAtOneLength) {
  std::vector<std::string> refused;
  for (const Case& one : cases()) {
    try {
      config(one.model, {"evaluate.lengths=[16, 64]"});
    } catch (const UsageError&) {
      refused.push_back(one.name);
    }
  }
  EXPECT_EQ(refused, std::vector<std::string>{"learned"});
}

TEST_F(TrainedEvaluation, HasTheSameBitsOnAnyNumberOfThreads) {
  const fs::path run = train(plain, {"evaluate.tokens=1200", "evaluate.targets=8", protocols});
  const EvaluationRecord one = evaluate(run);
  for (int threads : {2, 3}) expect_same_bits(evaluate(run, {}, threads).evaluate, one.evaluate);
}

TEST_F(TrainedEvaluation, OfMaskedTokensHasTheBitsOfTheRunOnAnyNumberOfThreads) {
  std::vector<std::string> sets = toy::masked(text_.string());
  sets.insert(sets.end(), {"evaluate.tokens=1200", "record.attention=true"});
  const fs::path run = train(plain, sets);
  const RunRecord recorded = read_run(run / "run.h5");
  for (int threads : {1, 2, 4}) expect_same_bits(evaluate(run, {}, threads).evaluate, recorded.evaluate);
  const auto scored = evaluate(run, {"task.rate=0.5"}).evaluate.scored;
  for (std::size_t i = 0; i < scored.size(); ++i) EXPECT_GT(scored[i], 2 * recorded.evaluate.scored[i]) << "half, not a fifth";
  EXPECT_PRED_FORMAT2(IsSubstring, "evaluate.protocols[0]: expected nonoverlapping for the task masked_text, got sliding",
                      refusal(run, {"evaluate.protocols=[sliding]"}));
}

// Seed and scheme change the model, and nothing of what it is asked.
TEST_F(TrainedEvaluation, OfMaskedTokensAsksAllRunsTheSame) {
  const auto counts = [&](const std::string& position, const std::string& seed) {
    std::vector<std::string> sets = toy::masked(text_.string());
    sets.push_back(seed);
    return read_run(train("{layers: 1, heads: 2, width: 8, position: " + position + "}", sets) / "run.h5")
        .evaluate.position->count;
  };
  EXPECT_EQ(counts("{kind: alibi}", "seed=0"), counts("{kind: rope}", "seed=1"));
}

TEST_F(TrainedEvaluation, TheCheckpointOfAnUnfinishedRunIsEvaluatedAtItsStep) {
  const config::RunConfig whole = config(plain, {"evaluate.every=1"});
  const RunRecord recorded = read_run(train(whole) / "run.h5");
  fs::remove_all(directory_ / "results");
  const EvaluationRecord found = evaluate(train(whole, 1));
  EXPECT_EQ(found.step, 1);
  EXPECT_EQ(found.run_status, "running");
  EXPECT_EQ(found.evaluate.step, std::vector<std::int64_t>{1});
  const std::vector<double> first(recorded.evaluate.loss.begin(), recorded.evaluate.loss.begin() + 2);
  EXPECT_EQ(bits(found.evaluate.loss), bits(first));
}

TEST_F(TrainedEvaluation, ChangesWhatIsEvaluated) {
  const fs::path run = train(plain);
  const EvaluateSeries before = evaluate(run).evaluate;
  const EvaluationRecord longer =
      evaluate(run, {"evaluate.lengths=[40, 100]", "evaluate.protocols=[sliding]", "evaluate.stride=7", "evaluate.tokens=300"});
  EXPECT_EQ(longer.evaluate.length, (std::vector<std::int64_t>{40, 100}));
  EXPECT_EQ(longer.evaluate.protocol, std::vector<std::string>{"sliding"});
  EXPECT_EQ(longer.evaluate.scored, (std::vector<std::int64_t>{40 + 37 * 7, 100 + 28 * 7}));
  EXPECT_PRED_FORMAT2(IsSubstring, "lengths: [40, 100]", longer.config);
  EXPECT_EQ(longer.run_id, read_run(run / "run.h5").run_id);
  EXPECT_EQ(bits(evaluate(run).evaluate.loss), bits(before.loss)) << "nothing is left of a change";
}

TEST_F(TrainedEvaluation, LooksAtTheAttentionOfARunThatDidNot) {
  const fs::path run = train(plain);
  EXPECT_FALSE(evaluate(run).evaluate.attention.has_value());
  const EvaluateSeries looked = evaluate(run, {"record.attention=true", "evaluate.lengths=[16, 24]"}).evaluate;
  ASSERT_TRUE(looked.attention.has_value());
  EXPECT_EQ(looked.attention->length, (std::vector<std::int64_t>{16, 24}));
  EXPECT_EQ(looked.attention->entropy.size(), 4u);
  write_evaluation(directory_ / "out.h5", {.run = "a",
                                           .run_id = "b",
                                           .run_status = "done",
                                           .config = "c",
                                           .software = "d",
                                           .machine = "e",
                                           .data = "f",
                                           .evaluated = "g",
                                           .evaluate = looked});
  expect_same_bits(read_evaluation(directory_ / "out.h5").evaluate, looked);
}

TEST_F(TrainedEvaluation, EvaluatesOnAnotherText) {
  const fs::path run = train(plain), other = write("other.txt", std::string(3000, 'x'));
  const EvaluationRecord found = evaluate(run, {"task.corpus=" + other.string(), "task.validation=0.9"});
  EXPECT_NE(found.data, read_run(run / "run.h5").data);
  EXPECT_NE(bits(found.evaluate.loss), bits(evaluate(run).evaluate.loss));
}

TEST_F(TrainedEvaluation, ChangesPositionsThatHaveNoParameters) {
  const fs::path rope = train("{layers: 1, heads: 2, width: 8, position: {kind: rope}}");
  const EvaluateSeries before = evaluate(rope).evaluate;
  for (const char* set :
       {"model.position.base=100", "model.position.scaling={kind: yarn, factor: 4}", "model.position.scaling.kind=dynamic_ntk",
        "model.position.layout=half", "model.positions={kind: randomized, range: 80, evaluation: drawn}"}) {
    EXPECT_NE(evaluate(rope, {set}).evaluate.loss, before.loss) << set;
  }
  // The trained length stays the scheme's: at it, dynamic scaling does nothing; beyond it, it does.
  const EvaluateSeries dynamic = evaluate(rope, {"model.position.scaling.kind=dynamic_ntk"}).evaluate;
  EXPECT_EQ(bits(dynamic.loss)[0], bits(before.loss)[0]);
  EXPECT_NE(bits(dynamic.loss)[1], bits(before.loss)[1]);
}

TEST_F(TrainedEvaluation, ALearnedTableGetsAWordBeyondItsLength) {
  const fs::path run = train("{layers: 1, heads: 2, width: 8, position: {kind: learned}}", {"evaluate.lengths=[16]"});
  EXPECT_PRED_FORMAT2(IsSubstring, "length 40 is beyond the table of 16 rows", refusal(run, {"evaluate.lengths=[16, 40]"}));
  const EvaluationRecord clamped = evaluate(run, {"evaluate.lengths=[16, 40]", "model.position.beyond=clamp"});
  EXPECT_EQ(bits(clamped.evaluate.loss)[0], bits(evaluate(run).evaluate.loss)[0]);
  EXPECT_TRUE(std::isfinite(clamped.evaluate.loss[1]));
}

TEST_F(TrainedEvaluation, RefusesWhatWouldBeAnotherModelOrTraining) {
  const fs::path run = train(plain);
  const struct {
    const char *set, *path;
  } refused[] = {{"train.length=8", "train.length: expected 16, as the run was trained, got 8"},
                 {"train.steps=4", "train.steps: expected 3"},
                 {"train.optimizer.rate=0.1", "train.optimizer.rate"},
                 {"seed=1", "seed: expected 0, as the run was trained, got 1"},
                 {"name=other", "name: expected toy"},
                 {"record.every=6", "record.every"},
                 {"evaluate.every=6", "evaluate.every"},
                 {"model.width=16", "model.width: expected 8"},
                 {"model.layers=2", "model.layers"},
                 {"model.heads=1", "model.heads: expected 2, as the run was trained, got 1"},
                 {"model.hidden=8", "model.hidden"},
                 {"model.activation=relu", "model.activation: expected gelu"},
                 {"model.norm=rms", "model.norm"},
                 {"model.dropout=0.5", "model.dropout"},
                 {"model.tie_embeddings=true", "model.tie_embeddings"},
                 {"model.kind=encoder", "model.kind"},
                 {"model.position.kind=rope", "model.position.kind: expected alibi, as the run was trained, got rope"},
                 {"model.position={kind: none}", "model.position.kind"}};
  for (const auto& one : refused) EXPECT_PRED_FORMAT2(IsSubstring, one.path, refusal(run, {one.set})) << one.set;
  const std::string both = refusal(run, {"seed=1", "train.clip=3", "evaluate.tokens=100"});
  EXPECT_PRED_FORMAT2(IsSubstring, "seed: ", both);
  EXPECT_PRED_FORMAT2(IsSubstring, "\ntrain.clip: ", both);
  EXPECT_PRED_FORMAT2(testing::IsNotSubstring, "evaluate.tokens", both);
  EXPECT_PRED_FORMAT2(IsSubstring, "expected settings of one run, got a sweep of 2 runs", refusal(run, {"sweep.seeds=2"}));
  EXPECT_PRED_FORMAT2(IsSubstring, "evaluate.lenghts: ", refusal(run, {"evaluate.lenghts=[3]"}));
}

TEST_F(TrainedEvaluation, RefusesAHybridOfOtherParts) {
  const fs::path run =
      train("{layers: 1, heads: 2, width: 8, position: {kind: sum, parts: [{kind: sinusoidal}, {kind: alibi}]}}");
  EXPECT_NO_THROW(evaluate(run, {"model.position.parts[0].base=100"}));
  EXPECT_PRED_FORMAT2(IsSubstring, "model.position.parts[1].kind: expected alibi, as the run was trained, got none",
                      refusal(run, {"model.position.parts[1].kind=none"}));
  EXPECT_PRED_FORMAT2(IsSubstring, "model.position.parts[2].kind: expected nothing, as the run was trained, got none",
                      refusal(run, {"model.position.parts=[{kind: sinusoidal}, {kind: alibi}, {kind: none}]"}));
}

TEST_F(TrainedEvaluation, RefusesSettingsThatAskForOtherParameters) {
  EXPECT_EQ(
      refusal(train(plain), {"model.position.slopes=learned"}),
      "model.position.slopes: does not go with the trained parameters: expected position.slopes [2], got nothing of that name");
  EXPECT_EQ(refusal(train("{layers: 1, heads: 2, width: 8, position: {kind: alibi, slopes: learned}}"),
                    {"model.position.slopes=fixed"}),
            "model.position.slopes: does not go with the trained parameters: expected nothing called position.slopes, got [2]");
  EXPECT_EQ(refusal(train("{layers: 1, heads: 2, width: 8, position: {kind: t5}}"), {"model.position.buckets=8"}),
            "model.position.buckets: does not go with the trained parameters: expected position.table [2, 8], got [2, 32]");
}

TEST_F(TrainedEvaluation, HoldsOutNothingThatWasTrainedOn) {
  const fs::path run = train(plain);
  EXPECT_PRED_FORMAT2(IsSubstring, "task.validation: expected at most 0.2, got 0.5", refusal(run, {"task.validation=0.5"}));
  const fs::path copy = write("copy.txt", toy::text(6000));
  EXPECT_PRED_FORMAT2(IsSubstring, "the run was trained on the rest of this text",
                      refusal(run, {"task.validation=0.5", "task.corpus=" + copy.string()}));
  EXPECT_NO_THROW(evaluate(run, {"task.validation=0.1"}));
}

TEST_F(TrainedEvaluation, NoticesATextThatHasChanged) {
  const fs::path first = write("first.txt", toy::text(3000));
  const fs::path run = train(config::parse_plan(toy::config_text(first.string(), plain, "steps: 3"), "toy").runs.front());
  const TrainedRun trained = read_trained_run(run);
  Corpus changed = *corpus_of(trained.config.settings);
  changed.fingerprint = "another";
  const std::string message =
      message_of([&] { expect_unseen(trained.config.settings, changed, trained.config.settings, trained.data); });
  EXPECT_PRED_FORMAT2(IsSubstring, "first.txt: the text has changed: expected 3000 bytes", message);
  EXPECT_PRED_FORMAT2(IsSubstring, "--set task.corpus=", message);
}

TEST_F(TrainedEvaluation, RefusesATextTooShortForALength) {
  EXPECT_PRED_FORMAT2(IsSubstring, "evaluate.lengths: 1200 tokens held out",
                      refusal(train(plain), {"evaluate.lengths=[2000]", "evaluate.tokens=9000"}));
}

TEST_F(TrainedEvaluation, GivesUpWhenAsked) {
  const TrainedRun trained = read_trained_run(train(plain));
  Crew crew(0);
  EXPECT_FALSE(evaluate_trained(trained, trained.config, crew, [](double) { return false; }));
}

TEST_F(TrainedEvaluation, LeavesTheRunAsItWas) {
  const fs::path run = train(plain);
  const auto contents = [&] {
    std::map<fs::path, std::string> files;
    for (const auto& entry : fs::directory_iterator(run)) files[entry.path()] = read_file(entry.path());
    return files;
  };
  const auto before = contents();
  EXPECT_EQ(before.size(), 4u);
  evaluate(run, {"evaluate.lengths=[20]"});
  EXPECT_EQ(contents(), before);
}

TEST_F(TrainedEvaluation, ADirectoryThatIsNoSoundRunIsNamed) {
  EXPECT_PRED_FORMAT2(IsSubstring, "nowhere: expected the directory of a run, found nothing; name one",
                      message_of([&] { read_trained_run(directory_ / "nowhere"); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "text.txt: expected the directory of a run, found a file",
                      message_of([&] { read_trained_run(text_); }));
  const fs::path run = train(plain), copy = directory_ / "copy";
  EXPECT_PRED_FORMAT2(IsSubstring,
                      "results/config.yaml: expected one of the files of a run, found nothing; name the directory of one run",
                      message_of([&] { read_trained_run(run.parent_path()); }));
  const auto message_after = [&](const std::function<void()>& damage) {
    fs::remove_all(copy);
    fs::copy(run, copy);
    damage();
    return message_of([&] { read_trained_run(copy); });
  };
  for (const char* name : {"config.yaml", "run.h5", "checkpoint.h5"}) {
    EXPECT_PRED_FORMAT2(IsSubstring, (copy / name).string() + ": expected one of the files of a run, found nothing",
                        message_after([&] { fs::remove(copy / name); }));
  }
  for (const char* name : {"run.h5", "checkpoint.h5"}) {
    EXPECT_PRED_FORMAT2(IsSubstring, (copy / name).string() + ": ",
                        message_after([&] { fs::resize_file(copy / name, fs::file_size(copy / name) / 2); }));
    std::string flipped = read_file(run / name);
    flipped[flipped.size() / 2] ^= 1;
    EXPECT_PRED_FORMAT2(IsSubstring, (copy / name).string() + ": damaged",
                        message_after([&] { replace_file(copy / name, flipped); }));
  }
  EXPECT_PRED_FORMAT2(IsSubstring,
                      "config.yaml: expected the config that checkpoint.h5 beside it was trained with, got another one",
                      message_after([&] { replace_file(copy / "config.yaml", "seed: 3\n"); }));
}

TEST_F(TrainedEvaluation, AConfigThatThisVersionDoesNotKnowIsNoMistakeOfTheUser) {
  const fs::path run = train(plain);
  const std::string yaml = read_file(run / "config.yaml") + "strands: 3\n";
  Checkpoint checkpoint = read_checkpoint(run / "checkpoint.h5");
  RunRecord record = read_run(run / "run.h5");
  record.config = checkpoint.config = yaml;
  write_checkpoint(run / "checkpoint.h5", checkpoint);
  write_run(run / "run.h5", record);
  replace_file(run / "config.yaml", yaml);
  const std::string message = message_of<FileError>([&] { read_trained_run(run); });
  EXPECT_PRED_FORMAT2(IsSubstring, "strands: ", message);
  EXPECT_PRED_FORMAT2(IsSubstring, "use the version that trained the run", message);
}

TEST_F(TrainedEvaluation, KnowsTheFilesOfARun) {
  const fs::path run = train(plain);
  for (const char* name : {"config.yaml", "run.h5", "checkpoint.h5", "log.txt"})
    EXPECT_TRUE(belongs_to_a_run(run / name)) << name;
  fs::create_symlink(run / "run.h5", directory_ / "link.h5");
  EXPECT_TRUE(belongs_to_a_run(directory_ / "link.h5"));
  EXPECT_TRUE(belongs_to_a_run(run / ".." / run.filename() / "run.h5"));
  EXPECT_FALSE(belongs_to_a_run(run / "longer.h5"));
  EXPECT_FALSE(belongs_to_a_run(directory_ / "run.h5"));
}

}  // namespace
}  // namespace ropewalk
