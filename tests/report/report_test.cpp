#include "experiments/report/report.hpp"

#include <gtest/gtest.h>
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
    return report(directory, options, settings_of_lines);
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
  EXPECT_PRED_FORMAT2(IsSubstring, "study: 4 of 7 runs done, 2 not begun\n", report_of(directory_).text);
  ReportOptions alibi;
  alibi.filter.only = {"alibi*"};
  EXPECT_PRED_FORMAT2(IsSubstring, "study: 2 of 2 runs done\n", report_of(directory_, alibi).text);
  std::ofstream(directory_ / "study" / "index.h5") << "damaged";
  EXPECT_PRED_FORMAT2(IsSubstring, "study: 4 of 5 runs done\n", report_of(directory_).text);
}

TEST_F(ReportOf, AStudy) {
  add_study();
  const Report result = report_of(directory_);
  EXPECT_TRUE(result.damaged.empty());
  EXPECT_EQ(result.text, R"(study: 4 of 5 runs done

perplexity by length, nonoverlapping: mean over seeds [range over seeds]

run             seeds   64*                128
------------------------------------------------------------
alibi           2       5.50 [5.00, 6.00]  4.75 [4.00, 5.50]
rope, base 9    1 of 2  4.00               2.00e+06
rope, base 500  1       5.00               50.00

perplexity relative to the trained length: mean over seeds [range over seeds]

run             seeds   64*                128
------------------------------------------------------------
alibi           2       1.00 [1.00, 1.00]  0.86 [0.80, 0.92]
rope, base 9    1 of 2  1.00               500000
rope, base 500  1       1.00               10.00

* trained length

Not done, not in the tables:
  rope9-1: diverged, step 100
)");
}

TEST_F(ReportOf, EveryExperimentHasItsSection) {
  add("alibi", {{kKind, "alibi"}, {"seed", "0"}}, {5.0, 4.0});
  add("rope9", {{kKind, "rope"}, {"name", "bases"}, {kBase, "9"}, {"seed", "0"}}, {5.0, 4.0});
  add("rope500", {{kKind, "rope"}, {"name", "bases"}, {kBase, "500"}, {"seed", "0"}}, {5.0, NAN}, "failed");
  EXPECT_EQ(report_of(directory_).text, R"(bases: 1 of 2 runs done

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
                      "length 32  1      2.00*  4.00   -\n"
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
  EXPECT_PRED_FORMAT2(IsSubstring, "0 of 1 runs done\n", text);
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
  EXPECT_PRED_FORMAT2(IsSubstring, "3 of 4 runs done", result.text);
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
            (directory_ / "missing").string() + ": cannot list: No such file or directory");
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
  ASSERT_EQ(rows.size(), 9u);  // a header, and two runs under two protocols at two lengths
  EXPECT_EQ(rows[0],
            "run,status,seed,model.position.base,model.position.kind,note,step,protocol,length,trained_length,perplexity,loss,"
            "bits_per_byte,token_accuracy,scored");
  const double loss = std::log(4.0);
  EXPECT_EQ(rows[2], fmt::format("alibi-0,failed,0,,alibi,d,100,nonoverlapping,128,64,{},{},{},0.5,640", std::exp(loss), loss,
                                 loss / std::log(2.0)));
  EXPECT_PRED_FORMAT2(IsSubstring, "rope-0,done,0,500,rope,\"a \"\"b\"\", c\",100,sliding,128,64,", rows[8]);
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

}  // namespace
}  // namespace ropewalk
