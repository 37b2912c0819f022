// Results directories made of synthetic runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/report/collection.hpp"

namespace ropewalk {

/// The reader of settings that tests use: one `path: value` a line. Throws `Error` on a line without a colon.
Settings settings_of_lines(const std::string& config);

struct SyntheticRun {
  std::string id;
  Settings settings;  ///< `seed` and `train.length` among them
  std::vector<std::int64_t> lengths;
  std::vector<double> loss;  ///< one for each length
  std::string status = "done";
  std::optional<RotaryFacts> rotary = {};
};

/// The record of a run evaluated at step 100 with these losses and, under the protocol "sliding", with half of them; and at step
/// 50 with losses of 9.
RunRecord synthetic_record(const SyntheticRun& run);

/// Writes it to `directory`/<id>/run.h5.
void write_synthetic(const std::filesystem::path& directory, const SyntheticRun& run);

}  // namespace ropewalk
