// What is measured in a run, and `run.h5`, where it is kept; and what is measured of its model later on.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ropewalk {

/// One entry per recorded training step [N]. A run that has just begun has none.
struct TrainSeries {
  std::vector<std::int64_t> step;     ///< optimizer steps done, in all stages, ascending
  std::vector<std::int64_t> stage;    ///< to which the step belongs, from 1
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

/// How attention spreads its weights: means over the queries of windows of each length, [layer, head, length] row by row; NaN at
/// a length that the scheme does not reach.
struct AttentionMeans {
  std::vector<std::int64_t> layer;    ///< from 0
  std::vector<std::int64_t> head;     ///< from 0
  std::vector<std::int64_t> length;   ///< tokens
  std::vector<double> entropy;        ///< −Σ w ln w over the weights w of a query, nats
  std::vector<double> mean_distance;  ///< Σ w (m − n) over the keys n that query m sees, tokens
};

/// S evaluations under P protocols at E lengths. Values are stored row by row.
struct EvaluateSeries {
  std::vector<std::int64_t> step;                    ///< [S], ascending
  std::vector<std::int64_t> stage;                   ///< [S], in, or at the end of, which it was measured, from 1
  std::vector<std::string> protocol;                 ///< [P]
  std::vector<std::int64_t> length;                  ///< [E], tokens
  std::vector<double> loss;                          ///< [S, P, E], nats per scored token
  std::vector<double> perplexity;                    ///< [S, P, E], exp(loss)
  std::vector<double> token_accuracy;                ///< [S, P, E], share of scored tokens whose best guess is right
  std::vector<std::int64_t> scored;                  ///< [S, P, E], tokens
  std::optional<std::vector<double>> bits_per_byte;  ///< [S, P, E], for text only
  std::optional<PositionLoss> position;              ///< of the last evaluation; none before it
  std::optional<AttentionMeans> attention = {};      ///< the same; none if it was not asked for
};

/// What the base of a rotary scheme says about context lengths before anything is trained: see
/// framework/positional/rope_facts.hpp.
struct RotaryFacts {
  double base = 0;
  std::int64_t width = 0;                    ///< elements of a head that turn
  std::int64_t trained = 0, longest = 0;     ///< trained and longest evaluated length, tokens; of a grid, that of its longer side
  std::int64_t critical_dimension = 0;       ///< of the trained length
  std::optional<double> trained_bound = {};  ///< the smallest base that suffices for the trained length; none if none does
  std::optional<double> longest_bound = {};  ///< the same for the longest
  std::int64_t serves = 0;                   ///< tokens that its own base suffices for, up to the longest length

  auto operator<=>(const RotaryFacts&) const = default;
};

/// What a run was taken up with the last time, beside its software and its machine. Empty in files from before it was kept.
struct Environment {
  std::string source;                        ///< commit that the program was built from, and whether it was changed
  std::string build;                         ///< build type and flags of the compiler
  std::string system;                        ///< kernel and distribution
  std::string launch;                        ///< where a scheduler put it: "SLURM_JOB_ID=12 …"; empty without one
  std::string host;                          ///< name of the machine
  std::optional<std::int64_t> process = {};  ///< id on that machine

  bool operator==(const Environment&) const = default;
};

/// Everything in `run.h5`.
struct RunRecord {
  std::string run_id;
  std::string status = "running";  ///< running, done, diverged, failed or interrupted
  std::string message = {};        ///< why it failed or diverged; else empty
  std::string config;              ///< resolved, YAML
  std::string software;            ///< program, version and libraries
  std::string machine;
  Environment environment = {};
  std::vector<std::string> tags = {};      ///< of the experiment, when the run was taken up last
  std::string notes = {};                  ///< the same
  std::string data;                        ///< size and hash of the text
  std::string start = {};                  ///< the run whose parameters were the first ones; empty: they were drawn
  std::int64_t parameters = 0;             ///< how many the model has
  std::optional<std::int64_t> steps = {};  ///< optimizer steps it trains for; none in a file from before they were kept
  std::string started, finished;           ///< UTC, ISO 8601; empty while unknown
  std::int64_t peak_bytes = 0;             ///< most memory in use at once
  std::optional<RotaryFacts> rotary = {};  ///< none if nothing turns, or in a file from before they were kept
  TrainSeries train;
  EvaluateSeries evaluate;

  /// Forgets what was measured after `step`, so that a run resumed from a checkpoint of that step measures nothing twice.
  void truncate_to(std::int64_t step);
};

/// Replaces the file whole. Throws `Error` if a series does not have the length its scales ask for, else `FileError`.
void write_run(const std::filesystem::path& path, const RunRecord& record);

/// Throws `FileError` if the file is missing, damaged, or not of this format and version.
RunRecord read_run(const std::filesystem::path& path);

/// An evaluation of a run's checkpoint, outside of the run.
struct EvaluationRecord {
  std::string run;         ///< the run's directory
  std::string run_id;      ///< of the run, not of `config`
  std::string run_status;  ///< as in run.h5 at the time
  std::int64_t step = 0;   ///< of the checkpoint
  std::string config;      ///< of the evaluation: that of the run with what was changed, YAML
  std::string software;
  std::string machine;
  std::string data;             ///< size and hash of the text
  std::int64_t parameters = 0;  ///< how many the model has
  std::string evaluated;        ///< when: UTC, ISO 8601
  std::int64_t peak_bytes = 0;  ///< most memory in use at once
  EvaluateSeries evaluate;      ///< at one step, laid out as in run.h5
};

/// Replaces the file whole. Throws like `write_run`.
void write_evaluation(const std::filesystem::path& path, const EvaluationRecord& record);

/// Throws like `read_run`.
EvaluationRecord read_evaluation(const std::filesystem::path& path);

}  // namespace ropewalk
