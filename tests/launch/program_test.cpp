#include "experiments/launch/program.hpp"

#include <gtest/gtest.h>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

TEST(Program, GivesExitCodeAndBothOutputs) {
  const ProgramResult result = run_program({"sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
}

TEST(Program, TakesAnyAmountOfBothOutputs) {
  const ProgramResult result = run_program({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 200000 /dev/zero"});
  EXPECT_EQ(result.output.size(), 200000u);
  EXPECT_EQ(result.errors.size(), 300000u);
}

TEST(Program, HandsOverArgumentsAsTheyAre) {
  EXPECT_EQ(run_program({"printf", "%s|", "a b", "$HOME", "'", "*", ""}).output, "a b|$HOME|'|*||");
}

TEST(Program, HasNoStandardInput) { EXPECT_EQ(run_program({"cat"}).output, ""); }

TEST(Program, ASignalIsAnExitCodeToo) { EXPECT_EQ(run_program({"sh", "-c", "kill -TERM $$"}).exit_code, 128 + 15); }

TEST(Program, OneThatIsNotThereIsAFileError) {
  try {
    run_program({"no-such-program"});
    ADD_FAILURE() << "expected an error";
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "no-such-program: cannot be started: No such file or directory");
  }
}

}  // namespace
}  // namespace ropewalk
