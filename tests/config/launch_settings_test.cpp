#include "experiments/config/launch_settings.hpp"

#include <gtest/gtest.h>

#include "experiments/config/plan.hpp"

namespace ropewalk::config {
namespace {

Plan plan_of(const std::string& launch) { return parse_plan("name: toy\nlaunch: " + launch, "c.yaml"); }

std::string errors_of(const std::string& launch) {
  try {
    plan_of(launch);
  } catch (const ConfigErrors& errors) {
    return errors.what();
  }
  return "";
}

TEST(LaunchSettings, AreReadAndChangeNoRun) {
  const Plan plan = plan_of(
      "{elements: 10, at_once: 4, time: 60, lead: 90, restarts: 3, memory: 2048, cores: 2, partition: long, options: "
      "[--account=lab, \"--mail-user='me'\"], setup: [module load hdf5, '# two\n\n  words']}");
  const LaunchSettings& launch = plan.experiment.launch;
  EXPECT_EQ(launch.elements, 10);
  EXPECT_EQ(launch.at_once, 4);
  EXPECT_EQ(launch.time, 60);
  EXPECT_EQ(launch.lead, 90);
  EXPECT_EQ(launch.restarts, 3);
  EXPECT_EQ(launch.memory, 2048);
  EXPECT_EQ(launch.cores, 2);
  EXPECT_EQ(launch.partition, "long");
  EXPECT_EQ(launch.options, (std::vector<std::string>{"--account=lab", "--mail-user='me'"}));
  EXPECT_EQ(launch.setup, (std::vector<std::string>{"module load hdf5", "# two\nwords"}));
  EXPECT_EQ(plan.runs.at(0).id, plan_of("{}").runs.at(0).id);
  EXPECT_EQ(plan.runs.at(0).yaml.find("launch"), std::string::npos);
  const LaunchSettings again = parse_plan(plan.yaml, "again").experiment.launch;
  EXPECT_EQ(again.options, launch.options);
  EXPECT_EQ(again.setup, launch.setup);
}

TEST(LaunchSettings, SayWhatIsWrong) {
  EXPECT_EQ(errors_of("{time: 1:30}"), "c.yaml:2:16: launch.time: expected an integer >= 0, got 1:30");
  EXPECT_EQ(errors_of("{cores: 0}"), "c.yaml:2:17: launch.cores: expected an integer in [1, 1024], got 0");
  EXPECT_EQ(errors_of("{time: 2, lead: 120}"), "c.yaml:2:25: launch.lead: expected less than the 120 s of launch.time, got 120");
  EXPECT_EQ(errors_of("{time: 2}"), "c.yaml:2:9: launch.lead: expected less than the 120 s of launch.time, got 120");
  EXPECT_EQ(errors_of("{time: 2, lead: 119}"), "");
  EXPECT_EQ(errors_of("{options: [--hold, module load hdf5]}"),
            "c.yaml:2:28: launch.options[1]: expected an option of sbatch, such as --account=lab, got module load hdf5");
  EXPECT_EQ(errors_of("{options: [\"--hold\\nrm\"]}"),
            "c.yaml:2:20: launch.options[0]: expected an option of sbatch, such as --account=lab, got --hold\nrm");
}

}  // namespace
}  // namespace ropewalk::config
