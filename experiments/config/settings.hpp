// All settings of a run, as a config gives them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/config/task.hpp"
#include "framework/core/fields.hpp"
#include "framework/core/registry.hpp"
#include "framework/nn/settings.hpp"
#include "framework/optimize/optimizer.hpp"
#include "framework/optimize/schedule.hpp"

namespace ropewalk::config {

struct TrainSettings {
  std::int64_t length = 64;  ///< tokens
  std::int64_t batch = 32;   ///< sequences a step
  std::int64_t steps = 2000;
  std::int64_t shards = 4;  ///< parts a batch is cut into, whatever the number of threads
  Choice<optimize::Optimizer> optimizer{optimize::optimizers(), "adamw"};
  Choice<optimize::Schedule> schedule{optimize::schedules(), "cosine"};
  double clip = 1.0;                ///< largest global norm of a gradient; 0: not clipped
  std::string from;                 ///< directory of a run whose parameters are the first ones; empty: they are drawn
  std::vector<std::string> stages;  ///< always empty: each stage has settings of its own, see experiments/config/stages.hpp

  void describe(Fields& fields);
};

struct EvaluateSettings {
  std::vector<std::int64_t> lengths{64, 128, 256, 512, 1024};  ///< tokens
  std::vector<std::string> protocols{"nonoverlapping"};
  std::int64_t stride = 16;     ///< tokens scored in each later window of `sliding`
  std::int64_t targets = 32;    ///< tokens scored in each block of `fixed_target`
  std::int64_t tokens = 65536;  ///< of the held-out part
  std::int64_t every = 0;       ///< steps; 0: after the last step only

  void describe(Fields& fields);
  bool has_protocol(const std::string& protocol) const;
};

struct RecordSettings {
  std::int64_t every = 10;  ///< steps
  bool attention = false;   ///< after the last step

  void describe(Fields& fields);
};

struct Settings {
  std::string name;  ///< of the experiment, a directory below the results
  std::int64_t seed = 0;
  Choice<TaskSettings> task{tasks(), "text"};
  nn::TransformerSettings model;
  TrainSettings train;
  EvaluateSettings evaluate;
  RecordSettings record;

  void describe(Fields& fields);
  /// Leaves nothing open: see `nn::TransformerSettings::resolve`. `before`: what an earlier stage was trained on, tokens; 0:
  /// there was none.
  void resolve(std::int64_t before = 0);
};

}  // namespace ropewalk::config
