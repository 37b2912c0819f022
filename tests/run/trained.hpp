// Small runs on the disk, for the tests of what is done with trained ones.
#pragma once

#include "experiments/run/run.hpp"
#include "experiments/run/trained_run.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk::toy {

/// Is told everything and does nothing, or throws after a step.
class Quiet final : public Observer {
 public:
  explicit Quiet(Index last = -1) : last_(last) {}
  void planned(std::size_t) override {}
  void begun(const std::string&, Index) override {}
  void held(const std::string&) override {}
  void moved(const RunProgress& progress) override {
    if (last_ >= 0 && progress.step > last_) throw std::runtime_error("stopped");
  }
  void skipped(const std::string&, const std::string&, const std::string&) override {}
  void ended(const std::string&, const std::string&, const std::string&) override {}

 private:
  const Index last_;
};

class Trained : public InDirectory {
 protected:
  config::RunConfig config(const std::string& model, const std::vector<std::string>& sets = {}) const {
    return config::parse_plan(config_text(text_.string(), model, "steps: 3, optimizer: {kind: adamw, rate: 0.05}"), "toy", sets)
        .runs.front();
  }

  /// Trains three steps, or is stopped after `last` with a checkpoint of it; returns the run's directory.
  std::filesystem::path train(const config::RunConfig& config, Index last = -1) const {
    const std::filesystem::path run = directory_ / "results" / config.id;
    std::filesystem::create_directories(run);
    Crew crew(0);
    Quiet observer(last);
    if (last < 0) {
      EXPECT_EQ(execute_run(config, run, {crew, observer}).status, "done");
    } else {
      EXPECT_THROW(execute_run(config, run, {crew, observer, 0}, {}), std::runtime_error);
    }
    return run;
  }

  std::filesystem::path train(const std::string& model, const std::vector<std::string>& sets = {}) const {
    return train(config(model, sets));
  }

  std::filesystem::path text_ = write("text.txt", text(6000));
};

}  // namespace ropewalk::toy
