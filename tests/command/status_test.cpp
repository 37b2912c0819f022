#include "experiments/command/status.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ropewalk {
namespace {

using testing::IsNotSubstring;
using testing::IsSubstring;

RunStatus run(const std::string& id, const std::string& state) {
  RunStatus status;
  status.run.run_id = id;
  status.state = state;
  return status;
}

/// A running run halfway, with the texts that a format may stumble over.
RunStatus halfway() {
  RunStatus status = run("rope-1", "running");
  status.saved_ago = 3.4;
  status.run.steps = 200;
  status.run.step = status.run.recorded = 100;
  status.run.tokens_per_second = 55.6;
  status.run.seconds_per_step = 0.9;
  status.run.loss = 2.5;
  status.run.host = "here";
  status.run.process = 12;
  status.run.tags = {"a", "b"};
  status.run.notes = "say \"größer\"\nor \\ not";
  return status;
}

ExperimentStatus experiment(std::vector<RunStatus> runs) {
  ExperimentStatus experiment;
  experiment.directory = "/results/toy";
  experiment.runs = std::move(runs);
  return experiment;
}

TEST(StatusText, HasALineForEachOfAFewRuns) {
  EXPECT_EQ(status_text({experiment({run("alibi-1", "done"), halfway(), run("t5-1", "waiting")})}, false),
            "toy: 3 runs: 1 done, 1 running, 1 waiting\n"
            "notes: say \"größer\"\nor \\ not\n"
            "tags: a, b\n\n"
            "state    step           loss    tokens/s  left        where             id\n"
            "-------------------------------------------------------------------------------\n"
            "done     0        -     -       -         -           -                 alibi-1\n"
            "running  100/200  50 %  2.5000  56        1 min 30 s  here:12, 3 s ago  rope-1\n"
            "waiting  -        -     -       -         -           -                 t5-1\n");
}

TEST(StatusText, OfManyRunsListsThoseThatAreNeitherDoneNorWaiting) {
  std::vector<RunStatus> runs;
  for (int i = 0; i < 30; ++i) runs.push_back(run("run-" + std::to_string(i), i < 20 ? "done" : "waiting"));
  runs.push_back(run("bad", "failed"));
  runs.back().run.message = "out of luck";
  const std::string text = status_text({experiment(runs)}, false), all = status_text({experiment(runs)}, true);
  EXPECT_PRED_FORMAT2(IsSubstring, "toy: 31 runs: 20 done, 1 failed, 10 waiting\n", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "\nwhy:\n  bad: out of luck\n", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "\n30 done or waiting, not listed: --all\n", text);
  EXPECT_PRED_FORMAT2(IsNotSubstring, "run-7", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "run-7", all);
  EXPECT_PRED_FORMAT2(IsNotSubstring, "--all", all);
}

TEST(StatusJson, EscapesTextAndHasNullForWhatIsNotKnown) {
  RunStatus broken = run("t5-1", "diverged");
  broken.run.loss = std::numeric_limits<double>::infinity();
  const std::string json = status_json({experiment({halfway(), broken})});
  EXPECT_PRED_FORMAT2(IsSubstring, "\"notes\": \"say \\\"größer\\\"\\u000aor \\\\ not\"", json);
  EXPECT_PRED_FORMAT2(IsSubstring, "\"seconds_left\": 90, \"saved_seconds_ago\": 3.4, \"host\": \"here\", \"process\": 12", json);
  EXPECT_PRED_FORMAT2(IsSubstring, "\"id\": \"t5-1\", \"state\": \"diverged\", \"step\": 0, \"steps\": null, \"loss\": null",
                      json);
  EXPECT_PRED_FORMAT2(IsSubstring, "\"counts\": {\"done\": 0, \"running\": 1, ", json);
}

}  // namespace
}  // namespace ropewalk
