// A claim held against what was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/evidence.hpp"

namespace ropewalk {

struct JudgedComparison {
  const Comparison* comparison;
  std::string case_name;  ///< "train.length=64"; empty if the claim has one case
  Finding finding;
};

/// Means over runs of one series in one case, at the lengths of the claim's table.
struct TableRow {
  std::string case_name, series;
  struct Cell {
    std::vector<double> values;  ///< of the runs that have one
    std::size_t runs = 0;
  };
  std::vector<Cell> cells;
};

struct Judgement {
  const Claim* claim;
  Verdict verdict;                          ///< of all comparisons of the predicate in all cases
  std::vector<JudgedComparison> predicate;  ///< comparison by comparison, case by case
  std::vector<JudgedComparison> tried;
  std::vector<TableRow> table;
  std::size_t runs = 0;         ///< of the study that it looks at
  std::size_t done = 0;         ///< of those
  double training_seconds = 0;  ///< of those, in all
};

/// The study has to be the one of the claim, and the claim in order: see `check_claim`. Throws `FileError` for a damaged file.
Judgement judge_claim(const Claim& claim, const Study& study, Evidence& evidence);

/// Complains of what the study cannot answer: settings, protocols and lengths that it does not have, series without runs,
/// evaluations that cannot be.
void check_claim(const Claim& claim, const Study& study, config::Complaints& complaints);

/// The runs that a claim looks at, each once, in the order of the study.
std::vector<const StudyRun*> runs_of(const Claim& claim, const Study& study);

}  // namespace ropewalk
