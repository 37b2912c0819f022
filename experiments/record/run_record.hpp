// What is measured in a run, and `run.h5`, where it is kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ropewalk {

/// One entry per recorded training step [N]. A run that has just begun has none.
struct TrainSeries {
  std::vector<std::int64_t> step;     ///< optimizer steps done, ascending
  std::vector<std::int64_t> tokens;   ///< cumulative
  std::vector<double> loss;           ///< of that step, mean nats per scored token
  std::vector<double> rate;           ///< learning rate of that step
  std::vector<double> gradient_norm;  ///< before clipping
  std::vector<double> seconds;        ///< cumulative training time, evaluation excluded
};

/// Mean loss at each index of the window [E, max length], non-overlapping protocol.
struct PositionLoss {
  std::vector<double> loss;         ///< nats; NaN past the length
  std::vector<std::int64_t> count;  ///< scored tokens behind each mean; 0 past the length
};

/// S evaluations under P protocols at E lengths. Values are stored row by row.
struct EvaluateSeries {
  std::vector<std::int64_t> step;                    ///< [S], ascending
  std::vector<std::string> protocol;                 ///< [P]
  std::vector<std::int64_t> length;                  ///< [E], tokens
  std::vector<double> loss;                          ///< [S, P, E], nats per scored token
  std::vector<double> perplexity;                    ///< [S, P, E], exp(loss)
  std::vector<double> token_accuracy;                ///< [S, P, E], share of scored tokens whose best guess is right
  std::vector<std::int64_t> scored;                  ///< [S, P, E], tokens
  std::optional<std::vector<double>> bits_per_byte;  ///< [S, P, E], for text only
  std::optional<PositionLoss> position;              ///< of the last evaluation; none before it
};

/// Everything in `run.h5`.
struct RunRecord {
  std::string run_id;
  std::string status = "running";  ///< running, done, diverged, failed or interrupted
  std::string config;              ///< resolved, YAML
  std::string software;            ///< program, version and libraries
  std::string machine;
  std::string data;               ///< size and hash of the text
  std::int64_t parameters = 0;    ///< how many the model has
  std::string started, finished;  ///< UTC, ISO 8601; empty while unknown
  std::int64_t peak_bytes = 0;    ///< most memory in use at once
  TrainSeries train;
  EvaluateSeries evaluate;

  /// Forgets what was measured after `step`, so that a run resumed from a checkpoint of that step measures nothing twice.
  void truncate_to(std::int64_t step);
};

/// Replaces the file whole. Throws `Error` if a series does not have the length its scales ask for, else `FileError`.
void write_run(const std::filesystem::path& path, const RunRecord& record);

/// Throws `FileError` if the file is missing, damaged, or not of this format and version.
RunRecord read_run(const std::filesystem::path& path);

}  // namespace ropewalk
