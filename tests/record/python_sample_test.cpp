// Writes one file of each format to where ROPEWALK_SAMPLE points, for test_hdf5_python.py to open with other tools.
#include <gtest/gtest.h>

#include <cstdlib>

#include "experiments/record/index.hpp"
#include "tests/record/sample.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

void write_sample(const fs::path& directory, RunRecord run, const std::string& id) {
  run.run_id = id;
  fs::create_directories(directory / id);
  write_run(directory / id / "run.h5", run);
}

TEST(PythonSample, Write) {
  const char* target = std::getenv("ROPEWALK_SAMPLE");
  if (target == nullptr) GTEST_SKIP() << "only for test_hdf5_python.py";
  const fs::path directory(target);
  write_sample(directory, sample_run(), "full");
  RunRecord begun = sample_run();
  begun.truncate_to(0);
  write_sample(directory, begun, "begun");
  write_checkpoint(directory / "full" / "checkpoint.h5", sample_checkpoint());
  write_index(directory,
              {{"full", "done", 30, 0, "a, b", "why", {{"model.position.kind", "rope"}, {"model.position.base", "500"}}},
               {"begun", "running", 0, 1, "", "", {{"model.position.kind", "alibi"}, {"seed", "1"}}}});
}

}  // namespace
}  // namespace ropewalk
