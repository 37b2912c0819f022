// What the runs of a study measured, as far as they are there.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "experiments/claims/evaluations.hpp"
#include "experiments/claims/study.hpp"
#include "experiments/claims/verdict.hpp"
#include "experiments/report/collection.hpp"

namespace ropewalk {

/// Reads each file once.
class Evidence {
 public:
  /// `out`: directory of results.
  explicit Evidence(std::filesystem::path out) : out_(std::move(out)) {}

  /// What a series measures of one of its runs, at a length if the measure has one. Throws `FileError` for a damaged file.
  Observation observe(const Study& study, const StudyRun& run, const Claim& claim, const Series& series,
                      const std::optional<LengthTerm>& length);

  /// The run as it is on disk; null if it has not begun. Throws like `observe`.
  const ReportedRun* find_run(const Study& study, const StudyRun& run);

 private:
  /// Null if it is not there.
  const ReportedRun* find_evaluated(const Study& study, const StudyRun& run, const ClaimEvaluation& evaluation);

  std::filesystem::path out_;
  std::map<std::filesystem::path, std::optional<ReportedRun>> found_;
  std::map<std::pair<const StudyRun*, const ClaimEvaluation*>, AskedEvaluation> asked_;  ///< configs take long to read
};

}  // namespace ropewalk
