// Small records for the tests, and a directory to put files in.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "experiments/errors.hpp"
#include "experiments/record/checkpoint.hpp"
#include "experiments/record/run_record.hpp"

namespace ropewalk {

/// A directory of its own for each test, gone afterwards.
class InDirectory : public testing::Test {
 protected:
  InDirectory() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() / fmt::format("ropewalk-{}-{}", test->name(), ::getpid());
    std::filesystem::create_directories(directory_);
  }
  ~InDirectory() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path directory_;
};

/// The message of the `Expected` that `action` throws; a failed test and no text if it throws none.
template <class Expected = FileError, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an error";
  return "";
}

/// A run with two evaluations under two protocols at three lengths, every value different.
RunRecord sample_run();

/// Two parameters, one of them a scalar, and their moments.
Checkpoint sample_checkpoint();

}  // namespace ropewalk
