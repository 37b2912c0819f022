#include "experiments/report/report.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "experiments/errors.hpp"
#include "experiments/record/file.hpp"
#include "experiments/record/index.hpp"
#include "tests/report/synthetic.hpp"

namespace ropewalk {
namespace {

using testing::IsNotSubstring;
using testing::IsSubstring;
namespace fs = std::filesystem;

/// Three positions at a trained length of 64; two seeds of each but the last.
class ReportOf : public testing::Test {
 protected:
  ReportOf() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = fs::temp_directory_path() / fmt::format("ropewalk-{}-{}", test->name(), ::getpid());
    fs::create_directories(directory_);
  }
  ~ReportOf() override { fs::remove_all(directory_); }

  void add(const std::string& id, Settings settings, const std::vector<double>& perplexity, const std::string& status = "done") {
    settings.insert({{"name", "study"}, {"train.length", "64"}});
    SyntheticRun run{id, settings, {64, 128}, {}, status};
    for (const double value : perplexity) run.loss.push_back(std::log(value));
    write_synthetic(directory_ / "study", run);
  }

  void add_study() {
    add("alibi-0", {{kKind, "alibi"}, {"seed", "0"}}, {5.0, 4.0});
    add("alibi-1", {{kKind, "alibi"}, {"seed", "1"}}, {6.0, 5.5});
    add("rope500-0", {{kKind, "rope"}, {kBase, "500"}, {"seed", "0"}}, {5.0, 50.0});
    add("rope9-0", {{kKind, "rope"}, {kBase, "9"}, {"seed", "0"}}, {4.0, 2'000'000.0});
    add("rope9-1", {{kKind, "rope"}, {kBase, "9"}, {"seed", "1"}}, {4.0, 5.0}, "diverged");
  }

  Report report_of(const fs::path& directory, const ReportOptions& options = {}) const {
    return report(directory, options, {settings_of_lines});
  }

  const std::string kKind = "model.position.kind", kBase = "model.position.base";
  fs::path directory_;
};

template <class Expected, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an error";
  return "";
}

TEST_F(ReportOf, RunsThatHaveNotBegunAreCounted) {
  add_study();
  std::vector<IndexEntry> rows;
  for (const char* id : {"alibi-0", "alibi-1", "rope500-0", "rope9-0", "rope9-1", "t5-0", "t5-1"})
    rows.emplace_back().run_id = id;
  write_index(directory_ / "study", rows);
  EXPECT_PRED_FORMAT2(IsSubstring, "study: 4 of 7 runs done, 1 diverged, 2 waiting\n", report_of(directory_).text);
  ReportOptions alibi;
  alibi.filter.only = {"alibi*"};
  EXPECT_PRED_FORMAT2(IsSubstring, "study: 2 of 2 runs done\n", report_of(directory_, alibi).text);
  std::ofstream(directory_ / "study" / "index.h5") << "damaged";
  const Report result = report_of(directory_);
  EXPECT_PRED_FORMAT2(IsSubstring, "study: 4 of 5 runs done, 1 diverged\n", result.text);
  ASSERT_EQ(result.damaged.size(), 1u);
  EXPECT_PRED_FORMAT2(IsSubstring, (directory_ / "study" / "index.h5").string(), result.damaged[0]);
}

TEST_F(ReportOf, AStudy) {
  add_study();
  const Report result = report_of(directory_);
  EXPECT_TRUE(result.damaged.empty());
  EXPECT_EQ(result.text, R"(study: 4 of 5 runs done, 1 diverged

perplexity by length, nonoverlapping: mean over seeds [range over seeds]

run             seeds   64*                128
-------------------------------------------------------------
alibi           2       5.50 [5.00, 6.00]  4.75 [4.00, 5.50]<
rope, base 9    1 of 2  4.00<              2.00e+06
rope, base 500  1       5.00               50.00

perplexity relative to the trained length: mean over seeds [range over seeds]

run             seeds   64*   128
-----------------------------------------------
alibi           2       1.00  0.86 [0.80, 0.92]
rope, base 9    1 of 2  1.00  500000
rope, base 500  1       1.00  10.00

* trained length   < best of the column

beyond the trained length: mean over seeds [range over seeds]

run             seeds   trained length  effective length  tokens gained  area
------------------------------------------------------------------------------------------
alibi           2       64              ≥128              ≥64            5.12 [4.50, 5.75]
rope, base 9    1 of 2  64              64                0              1.00e+06
rope, base 500  1       64              64                0              27.50

effective length: the longest whose loss is within 2 % of that at the trained length (≥: the longest evaluated)
tokens gained: past the trained length, before perplexity passes 1.01 of what it is there
area: mean perplexity over log2 of the length, from the trained one to the longest

Not done, not in the tables:
  rope9-1: diverged, step 100
)");
}

TEST_F(ReportOf, EveryExperimentHasItsSection) {
  add("alibi", {{kKind, "alibi"}, {"seed", "0"}}, {5.0, 4.0});
  add("rope9", {{kKind, "rope"}, {"name", "bases"}, {kBase, "9"}, {"seed", "0"}}, {5.0, 4.0});
  add("rope500", {{kKind, "rope"}, {"name", "bases"}, {kBase, "500"}, {"seed", "0"}}, {5.0, NAN}, "failed");
  EXPECT_EQ(report_of(directory_).text, R"(bases: 1 of 2 runs done, 1 failed

perplexity by length, nonoverlapping

run             seeds   64*   128
----------------------------------
rope, base 9    1       5.00  4.00
rope, base 500  0 of 1  -     -

perplexity relative to the trained length

run             seeds   64*   128
----------------------------------
rope, base 9    1       1.00  0.80
rope, base 500  0 of 1  -     -

* trained length   - no value

beyond the trained length

run             seeds   trained length  effective length  tokens gained  area
-----------------------------------------------------------------------------
rope, base 9    1       64              ≥128              ≥64            4.50
rope, base 500  0 of 1  64              -                 -              -

effective length: the longest whose loss is within 2 % of that at the trained length (≥: the longest evaluated)
tokens gained: past the trained length, before perplexity passes 1.01 of what it is there
area: mean perplexity over log2 of the length, from the trained one to the longest

Not done, not in the tables:
  rope500: failed, step 100


study: 1 of 1 runs done

perplexity by length, nonoverlapping

run    seeds  64*   128
------------------------
alibi  1      5.00  4.00

perplexity relative to the trained length

run    seeds  64*   128
------------------------
alibi  1      1.00  0.80

* trained length

beyond the trained length

run    seeds  trained length  effective length  tokens gained  area
-------------------------------------------------------------------
alibi  1      64              ≥128              ≥64            4.50

effective length: the longest whose loss is within 2 % of that at the trained length (≥: the longest evaluated)
tokens gained: past the trained length, before perplexity passes 1.01 of what it is there
area: mean perplexity over log2 of the length, from the trained one to the longest
)");
}

TEST_F(ReportOf, FourSeedsHaveABootstrapInterval) {
  for (const std::string seed : {"0", "1", "2", "3"}) add("rope-" + seed, {{kKind, "rope"}, {"seed", seed}}, {5.0, 6.0});
  EXPECT_PRED_FORMAT2(IsSubstring, "nonoverlapping: mean over seeds [95 % bootstrap interval]\n", report_of(directory_).text);
}

TEST_F(ReportOf, TheSameFromEveryDirectoryAbove) {
  add_study();
  EXPECT_EQ(report_of(directory_).text, report_of(directory_ / "study").text);
}

TEST_F(ReportOf, ASingleRun) {
  add_study();
  const std::string text = report_of(directory_ / "study" / "alibi-0").text;
  EXPECT_PRED_FORMAT2(IsSubstring, "1 of 1 runs done", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "\nalibi  1      5.00  4.00\n", text);
}

TEST_F(ReportOf, OtherMetricsAndProtocols) {
  add("a", {{kKind, "alibi"}, {"seed", "0"}}, {16.0, 256.0});
  EXPECT_PRED_FORMAT2(IsSubstring, "alibi  1      2.773  5.545\n", report_of(directory_, {.metric = "loss", .csv = {}}).text);
  EXPECT_PRED_FORMAT2(IsSubstring, "alibi  1      4.000  8.000\n",
                      report_of(directory_, {.metric = "bits_per_byte", .csv = {}}).text);
  EXPECT_PRED_FORMAT2(IsSubstring, "alibi  1      0.500  0.500\n",
                      report_of(directory_, {.metric = "token_accuracy", .csv = {}}).text);
  EXPECT_PRED_FORMAT2(IsSubstring, "alibi  1      4.00  16.00\n", report_of(directory_, {.protocol = "sliding", .csv = {}}).text);
}

TEST_F(ReportOf, RunsWithDifferentLengthsLeaveCellsBlank) {
  write_synthetic(directory_, {"short", {{"train.length", "32"}, {"seed", "0"}}, {32, 64}, {std::log(2.0), std::log(4.0)}});
  write_synthetic(directory_, {"long", {{"train.length", "64"}, {"seed", "0"}}, {64, 128}, {std::log(8.0), std::log(16.0)}});
  EXPECT_PRED_FORMAT2(IsSubstring,
                      "run        seeds  32     64     128\n"
                      "-------------------------------------\n"
                      "length 32  1      2.00*  4.00<  -\n"
                      "length 64  1      -      8.00*  16.00\n",
                      report_of(directory_).text);
}

TEST_F(ReportOf, ATrainedLengthThatWasNotEvaluatedGivesNoRatio) {
  write_synthetic(directory_, {"a", {{kKind, "rope"}, {"train.length", "32"}, {"seed", "0"}}, {64}, {std::log(2.0)}});
  EXPECT_PRED_FORMAT2(IsSubstring, "rope  1      2.00\n", report_of(directory_).text);
  EXPECT_PRED_FORMAT2(IsSubstring, "rope  1      -\n", report_of(directory_).text);
}

TEST_F(ReportOf, LengthsThatCouldNotBeEvaluatedHaveNoValue) {
  add("a", {{kKind, "learned"}, {"seed", "0"}}, {5.0, NAN});
  EXPECT_PRED_FORMAT2(IsSubstring, "learned  1      5.00  -\n", report_of(directory_).text);
}

TEST_F(ReportOf, RunsThatHaveJustBegun) {
  fs::create_directories(directory_ / "a");
  RunRecord record;
  record.run_id = "a";
  write_run(directory_ / "a" / "run.h5", record);
  const std::string text = report_of(directory_).text;
  EXPECT_PRED_FORMAT2(IsSubstring, "0 of 1 runs done, 1 running\n", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "all runs  0 of 1\n", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "a: running, step 0\n", text);
}

TEST_F(ReportOf, DamagedFilesAreNamedAndTheRestIsShown) {
  add_study();
  const fs::path broken = directory_ / "study" / "rope500-0" / "run.h5";
  replace_file(broken, read_file(broken).substr(0, 3000));
  const Report result = report_of(directory_);
  ASSERT_EQ(result.damaged.size(), 1u);
  EXPECT_PRED_FORMAT2(IsSubstring, broken.string() + ": ", result.damaged[0]);
  EXPECT_PRED_FORMAT2(IsSubstring, "\nDamaged, left out:\n  " + result.damaged[0] + "\n", result.text);
  EXPECT_PRED_FORMAT2(IsSubstring, "3 of 5 runs done, 1 damaged, 1 diverged", result.text);
  EXPECT_PRED_FORMAT2(IsSubstring, "\nalibi  2 ", result.text);
}

TEST_F(ReportOf, NothingButDamagedFiles) {
  replace_file(directory_ / "run.h5", "no");
  const Report result = report_of(directory_);
  EXPECT_EQ(result.damaged.size(), 1u);
  EXPECT_PRED_FORMAT2(IsSubstring, "0 runs that can be read\n\nDamaged, left out:\n", result.text);
}

TEST_F(ReportOf, AConfigThatCannotBeReadIsDamage) {
  RunRecord record;
  record.config = "no colon";
  write_run(directory_ / "run.h5", record);
  EXPECT_EQ(report_of(directory_).damaged,
            (std::vector<std::string>{(directory_ / "run.h5").string() +
                                      ": attribute config: expected 'path: value', got 'no colon'"}));
}

TEST_F(ReportOf, CopiesDoNotCountAsSeeds) {
  add_study();
  fs::copy(directory_ / "study" / "alibi-0", directory_ / "study" / "copy", fs::copy_options::recursive);
  const std::string text = report_of(directory_).text;
  EXPECT_PRED_FORMAT2(IsSubstring, "4 of 5 runs done", text);
  EXPECT_PRED_FORMAT2(IsSubstring, (directory_ / "study/copy/run.h5").string() + ": same settings as ", text);
}

TEST_F(ReportOf, AnEmptyOrMissingDirectoryIsAnError) {
  EXPECT_EQ(message_of<FileError>([&] { report_of(directory_); }),
            directory_.string() + ": expected at least one run.h5 in it or below, found none; 'ropewalk run CONFIG' makes them");
  EXPECT_EQ(message_of<FileError>([&] { report_of(directory_ / "missing"); }),
            (directory_ / "missing").string() + ": expected a directory of results, there is none");
  fs::create_directories(directory_ / "quickstart");
  EXPECT_EQ(message_of<FileError>([&] { report_of(directory_ / "quickstrat"); }),
            (directory_ / "quickstrat").string() + ": expected a directory of results, there is none; did you mean " +
                (directory_ / "quickstart").string() + "?");
}

TEST_F(ReportOf, UnknownMetricsAndProtocolsListTheChoices) {
  add_study();
  EXPECT_EQ(message_of<UsageError>([&] { report_of(directory_, {.metric = "accuracy", .csv = {}}); }),
            "report: metric: expected one of perplexity, loss, bits_per_byte, token_accuracy, got 'accuracy'");
  EXPECT_EQ(message_of<UsageError>([&] { report_of(directory_, {.protocol = "all", .csv = {}}); }),
            "report: protocol: expected one of nonoverlapping, sliding, which these runs have, got 'all'");
}

TEST_F(ReportOf, CsvHasEveryNumberUnrounded) {
  add("rope-0", {{kKind, "rope"}, {kBase, "500"}, {"seed", "0"}, {"note", "a \"b\", c"}}, {5.0, 50.0});
  add("alibi-0", {{kKind, "alibi"}, {"seed", "0"}, {"note", "d"}}, {5.0, 4.0}, "failed");
  report_of(directory_, {.csv = directory_ / "numbers.csv"});
  const std::string csv = read_file(directory_ / "numbers.csv");
  std::istringstream lines(csv);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 17u);  // a header, and two runs at two steps under two protocols at two lengths
  EXPECT_EQ(
      rows[0],
      "run,status,seed,model.position.base,model.position.kind,note,step,stage,protocol,length,trained_length,perplexity,loss,"
      "bits_per_byte,token_accuracy,scored,perplexity_ratio,effective_length,effective_length_at_least,tokens_gained,"
      "tokens_gained_at_least,perplexity_area");
  const double loss = std::log(4.0), before = std::log(5.0);
  EXPECT_EQ(rows[6],
            fmt::format("alibi-0,failed,0,,alibi,d,100,1,nonoverlapping,128,64,{},{},{},0.5,640,{},128,1,64,1,{}", std::exp(loss),
                        loss, loss / std::log(2.0), std::exp(loss) / std::exp(before), (std::exp(before) + std::exp(loss)) / 2));
  EXPECT_PRED_FORMAT2(IsSubstring, "alibi-0,failed,0,,alibi,d,50,1,nonoverlapping,64,64,", rows[1]);
  EXPECT_PRED_FORMAT2(IsSubstring, "rope-0,done,0,500,rope,\"a \"\"b\"\", c\",100,1,sliding,128,64,", rows[16]);
}

TEST_F(ReportOf, SaysWhatIsKnownOfRotarySchemes) {
  const auto write = [&](const char* base, std::optional<double> bound) {
    SyntheticRun run{std::string("rope") + base,
                     {{"name", "bases"}, {"train.length", "64"}, {kKind, "rope"}, {kBase, base}, {"seed", "0"}},
                     {64, 128},
                     {1.0, 1.0}};
    run.rotary = RotaryFacts{std::stod(base), 16, 64, 128, 6, 1706.64, bound, bound ? 128 : 31};
    write_synthetic(directory_, run);
  };
  write("500.0", 8574.2);
  write("9.0", std::nullopt);
  add("alibi-0", {{kKind, "alibi"}, {"seed", "0"}, {"name", "bases"}}, {5.0, 4.0});
  EXPECT_PRED_FORMAT2(IsSubstring, R"(
rotation        base  critical  serves    trained length  least base  longest length  least base
------------------------------------------------------------------------------------------------
rope, base 9    9     6 of 16   31        64              1707        128             none
rope, base 500  500   6 of 16   128, all  64              1707        128             8574

critical: )",
                      report_of(directory_).text);
}

TEST_F(ReportOf, SaysNothingOfRotationWhereNothingTurnsOrNothingWasKept) {
  add("rope-0", {{kKind, "rope"}, {"seed", "0"}}, {5.0, 4.0});
  EXPECT_PRED_FORMAT2(IsNotSubstring, "rotation", report_of(directory_).text);
}

/// Lines of a text that begin like this.
std::vector<std::string> lines_with(const std::string& beginning, const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(beginning)) lines.push_back(line);
  }
  return lines;
}

TEST_F(ReportOf, NothingIsBeyondWhereNothingLongerIsEvaluated) {
  write_synthetic(directory_, {"a", {{kKind, "rope"}, {"train.length", "64"}, {"seed", "0"}}, {32, 64}, {1.0, 1.0}});
  EXPECT_PRED_FORMAT2(IsNotSubstring, "beyond the trained length", report_of(directory_).text);
}

TEST_F(ReportOf, TheBestOfAColumnIsTheMostWhereMoreIsBetter) {
  for (const char* kind : {"rope", "alibi"}) {
    SyntheticRun run{kind, {{kKind, kind}, {"train.length", "64"}, {"seed", "0"}}, {64, 128}, {1.0, 1.0}};
    RunRecord record = synthetic_record(run);
    for (double& accuracy : record.evaluate.token_accuracy) accuracy = run.id == "rope" ? 0.25 : 0.75;
    fs::create_directories(directory_ / kind);
    write_run(directory_ / kind / "run.h5", record);
  }
  const std::string text = report_of(directory_, {.metric = "token_accuracy"}).text;
  EXPECT_PRED_FORMAT2(IsSubstring, "\nalibi  1      0.750<  0.750<\nrope   1      0.250   0.250\n", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "< best of the column", text);
}

TEST_F(ReportOf, AnEarlierStepAlsoOfRunsThatAreNotDone) {
  add_study();
  const std::string text = report_of(directory_, {.metric = "loss", .step = 50}).text;
  EXPECT_EQ(lines_with("rope, base 9 ", text).front(), "rope, base 9    2      9.000<  9.000<");
  EXPECT_PRED_FORMAT2(IsSubstring, "loss by length, nonoverlapping, step 50: mean over seeds", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "Not done, in the tables if evaluated at this step:\n  rope9-1: diverged, step 100\n", text);
  EXPECT_EQ(
      message_of<UsageError>([&] { report_of(directory_, {.step = 60}); }),
      "report: step: expected one at which these runs were evaluated, 50, 100, got 60; evaluate.every asks for more of them");
}

TEST_F(ReportOf, OnlyRunsForWhichAConditionHolds) {
  add_study();
  const std::string text = report_of(directory_, {.where = {kBase + ">10", kKind + "=rope"}}).text;
  EXPECT_PRED_FORMAT2(IsSubstring, "study: 1 of 1 runs done\n", text);
  EXPECT_EQ(lines_with("rope ", text).front(), "rope  1      5.00  50.00");
  EXPECT_EQ(message_of<UsageError>([&] { report_of(directory_, {.where = {kBase + ">1000"}}); }),
            "--where 'model.position.base>1000': expected to hold for a run, got none");
}

TEST_F(ReportOf, GroupsBySomeSettingsCountRuns) {
  add_study();
  const std::string text = report_of(directory_, {.group_by = {kKind}}).text;
  EXPECT_PRED_FORMAT2(IsSubstring, "mean over runs [range over runs]\n\nrun    runs    64* ", text);
  EXPECT_EQ(lines_with("rope ", text).front(), "rope   2 of 3  4.50 [4.00, 5.00]<  1.00e+06 [50.00, 2.00e+06]");
  EXPECT_EQ(message_of<UsageError>([&] { report_of(directory_, {.group_by = {"kind"}}); }),
            "--group-by: expected the whole path of a setting of these runs, got 'kind'; did you mean model.position.kind?");
}

TEST_F(ReportOf, RunsOfSeveralTrainedLengthsAreNotAveragedBeyondThem) {
  for (const char* length : {"64", "128"}) {
    SyntheticRun run{
        std::string("rope") + length, {{"train.length", length}, {kKind, "rope"}, {"seed", "0"}}, {64, 128}, {1.0, 1.0}};
    run.rotary = RotaryFacts{10000.0, 16, std::stoll(length), 128, 6, 1706.64, 8574.2, 91};
    write_synthetic(directory_, run);
  }
  const std::string text = report_of(directory_, {.group_by = {kKind}}).text;
  EXPECT_EQ(lines_with("rope ", text), (std::vector<std::string>{
                                           "rope  2     2.72*  2.72*",
                                           "rope  2     1.00*  1.00*",
                                           "rope  2     64, 128         -                 -              -",
                                           "rope      10000  6 of 16   91      64              1707        128             8574",
                                           "rope      10000  6 of 16   91      128             1707        128             8574",
                                       }));
}

TEST_F(ReportOf, SaysWhereLengthsAreScoredOnDifferentText) {
  add_study();
  EXPECT_PRED_FORMAT2(IsNotSubstring, "scored tokens", report_of(directory_).text);
  RunRecord record = synthetic_record({"t5", {{kKind, "t5"}, {"train.length", "64"}, {"name", "study"}}, {64, 128}, {1.0, 1.0}});
  record.evaluate.scored = {0, 0, 0, 0, 640, 512, 0, 0};
  fs::create_directories(directory_ / "study" / "t5");
  write_run(directory_ / "study" / "t5" / "run.h5", record);
  EXPECT_PRED_FORMAT2(IsSubstring, "scored tokens at a length: 512 to 640, as whole windows fit into evaluate.tokens\n",
                      report_of(directory_).text);
}

TEST_F(ReportOf, ALinkToNothingAndAPipeAreDamage) {
  add_study();
  for (const char* id : {"link", "pipe"}) fs::create_directories(directory_ / "study" / id);
  fs::create_symlink("nothing", directory_ / "study" / "link" / "run.h5");
  ASSERT_EQ(::mkfifo((directory_ / "study" / "pipe" / "run.h5").c_str(), 0600), 0);
  std::vector<IndexEntry> rows;
  for (const char* id : {"alibi-0", "link", "pipe"}) rows.emplace_back().run_id = id;
  write_index(directory_ / "study", rows);
  const Report result = report_of(directory_);
  EXPECT_PRED_FORMAT2(IsSubstring, "study: 4 of 7 runs done, 2 damaged, 1 diverged\n", result.text);
  EXPECT_EQ(result.damaged.back(),
            (directory_ / "study/pipe/run.h5").string() + ": expected a file, got something else; move it away");
}

TEST_F(ReportOf, CellsOfFewerRunsSayHowMany) {
  for (const char* seed : {"0", "1", "2", "3"}) {
    add("rope-" + std::string(seed), {{kKind, "rope"}, {"seed", seed}},
        {4.0 + (seed[0] - '0'), seed[0] < '2' ? 5.0 + (seed[0] - '0') : NAN});
  }
  const std::string text = report_of(directory_).text;
  EXPECT_PRED_FORMAT2(IsSubstring, "mean over seeds [95 % bootstrap interval; of fewer than 4: range over seeds]", text);
  const std::string line = lines_with("rope ", text).front();
  EXPECT_TRUE(line.ends_with("  5.50 [5.00, 6.00] (2)")) << line;
  EXPECT_PRED_FORMAT2(IsSubstring, "(2) of so many seeds alone\n", text);
}

TEST_F(ReportOf, InfiniteValuesHaveNoRatioNoDifferenceAndAreNotBest) {
  for (const char* kind : {"rope", "alibi"}) add(kind, {{kKind, kind}, {"seed", "0"}}, {INFINITY, INFINITY});
  const std::string text = report_of(directory_, {.baseline = "alibi", .csv = directory_ / "numbers.csv"}).text;
  EXPECT_EQ(lines_with("rope ", text),
            (std::vector<std::string>{"rope   1      inf  inf", "rope   1      -    -",
                                      "rope   1      64              -                 -              -", "rope  1      -   -"}));
  EXPECT_PRED_FORMAT2(IsNotSubstring, "nan", text + read_file(directory_ / "numbers.csv"));
}

TEST_F(ReportOf, AnEvaluationBelongsToItsStage) {
  SyntheticRun run{"rope", {{"train.length", "64"}, {"train.stages[0].length", "128"}, {kKind, "rope"}}, {64, 128}, {1.0, 1.0}};
  RunRecord record = synthetic_record(run);
  record.evaluate.stage = {1, 2};
  write_run(directory_ / "run.h5", record);
  EXPECT_PRED_FORMAT2(IsSubstring, "  64    128*\n", report_of(directory_).text);
  const std::string before = report_of(directory_, {.step = 50, .csv = directory_ / "numbers.csv"}).text;
  EXPECT_PRED_FORMAT2(IsSubstring, "  64*   128\n", before);
  const std::string csv = read_file(directory_ / "numbers.csv");
  EXPECT_PRED_FORMAT2(IsSubstring, ",50,1,nonoverlapping,128,64,", csv);
  EXPECT_PRED_FORMAT2(IsSubstring, ",100,2,nonoverlapping,128,128,", csv);
}

TEST_F(ReportOf, SortsBestFirstAndWhatHasNoValueLast) {
  add_study();
  add("t5", {{kKind, "t5"}, {"seed", "0"}}, {1.0, NAN});
  const auto order = [&](const std::string& key) {
    std::vector<std::string> kinds;
    const std::string text = report_of(directory_, {.sort = key}).text;
    std::istringstream stream(text.substr(text.find("---")));
    std::string line;
    std::getline(stream, line);
    while (std::getline(stream, line) && !line.empty()) kinds.push_back(line.substr(0, line.find("  ")));
    return kinds;
  };
  using Order = std::vector<std::string>;
  EXPECT_EQ(order("run"), (Order{"alibi", "rope, base 9", "rope, base 500", "t5"}));
  EXPECT_EQ(order("64"), (Order{"t5", "rope, base 9", "rope, base 500", "alibi"}));
  EXPECT_EQ(order("128"), (Order{"alibi", "rope, base 500", "rope, base 9", "t5"}));
  EXPECT_EQ(order("area"), (Order{"alibi", "rope, base 500", "rope, base 9", "t5"}));
  EXPECT_EQ(order("effective_length").front(), "alibi");
  EXPECT_EQ(order("tokens_gained").front(), "alibi");
  EXPECT_EQ(message_of<UsageError>([&] { report_of(directory_, {.sort = "256"}); }),
            "--sort: expected one of run, effective_length, tokens_gained, area, 64, 128, got '256'");
}

TEST_F(ReportOf, DifferencesFromABaselineArePairedBySeed) {
  add_study();
  add("t5-1", {{kKind, "t5"}, {"seed", "1"}}, {6.5, 4.5});
  add("t5-0", {{kKind, "t5"}, {"seed", "0"}}, {5.25, 5.0});
  EXPECT_PRED_FORMAT2(IsSubstring, R"(
perplexity less that of alibi, nonoverlapping, paired by seed: mean over pairs [range over pairs]

run             pairs  64                           128
---------------------------------------------------------------------------------
rope, base 9    1      -1.00                        +2.00e+06
rope, base 500  1      0.00                         +46.00
t5              2      +0.38 [+0.25, +0.50] higher  0.00 [-1.00, +1.00] undecided

higher, lower: the whole interval is on that side of 0; 2 pairs are so by chance once in 2, so ask for more seeds
)",
                      report_of(directory_, {.baseline = "alibi"}).text);
  EXPECT_EQ(
      message_of<UsageError>([&] { report_of(directory_, {.baseline = "abili"}); }),
      "--baseline 'abili': expected what stands in a row under `run`, one of\n  alibi\n  rope, base 9\n  rope, base 500\n  t5");
}

TEST_F(ReportOf, ABaselineOfSeveralRowsIsToldHowToMakeItOne) {
  add_study();
  EXPECT_EQ(message_of<UsageError>([&] { report_of(directory_, {.baseline = "rope"}); }),
            "--baseline 'rope': expected what stands in a row under `run`, one of\n  alibi\n  rope, base 9\n  rope, base 500\n"
            "--where leaves fewer of them, --group-by model.position.kind makes one of several");
}

TEST_F(ReportOf, WhatHasSeveralPartnersIsNoPair) {
  add_study();
  EXPECT_EQ(message_of<UsageError>([&] { report_of(directory_, {.group_by = {kKind}, .baseline = "alibi"}); }),
            "--baseline: expected one run of 'rope' for each seed, got several; give --group-by more settings");
}

TEST_F(ReportOf, ATagThatNoRunHasIsAnError) {
  add_study();
  ReportOptions options;
  options.filter.tags = {"first"};
  EXPECT_EQ(message_of<UsageError>([&] { report_of(directory_, options); }),
            "--tag first: expected a tag that one of the runs has, and none has any; `tags` in a config gives them");
}

TEST_F(ReportOf, StatesAreWhatIsKnownBest) {
  add("a", {{kKind, "rope"}, {"seed", "0"}}, {5.0, 4.0}, "running");
  const auto stopped = [](const fs::path& experiment, const std::string& id, const std::string& status) {
    return fmt::format("{} {} {}", experiment.filename().string(), id, status);
  };
  const std::string text = report(directory_, {}, {settings_of_lines, stopped}).text;
  EXPECT_PRED_FORMAT2(IsSubstring, "study: 0 of 1 runs done, 1 study a running\n", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "  a: study a running, step 100\n", text);
}

TEST_F(ReportOf, NotesMoveNoCursor) {
  RunRecord record = synthetic_record({"a", {{kKind, "rope"}, {"train.length", "64"}}, {64}, {1.0}});
  record.notes = "red \x1b[31m";
  write_run(directory_ / "run.h5", record);
  EXPECT_PRED_FORMAT2(IsSubstring, "notes: red \\x1b[31m\n", report_of(directory_).text);
}

}  // namespace
}  // namespace ropewalk
