// The runs of a study as claims choose among them, trained or not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/claims/claim.hpp"
#include "experiments/config/plan.hpp"
#include "experiments/report/collection.hpp"

namespace ropewalk {

struct StudyRun {
  const config::RunConfig* run;
  Settings first, last;      ///< settings of its first and its last stage, each as if that were the whole training
  std::int64_t trained = 0;  ///< length of its first stage, tokens: L of a claim
};

/// "model.layers=2, seed=0", each with the prefix.
std::string in_words(const Conditions& conditions, const std::string& prefix = "");

/// One of the cases of a claim: the condition that it adds to all series.
struct Case {
  Conditions conditions;  ///< none, or one

  /// "train.length=64"; empty if it is the only one.
  std::string name() const;
};

std::vector<Case> cases_of(const Claim& claim);

/// By what makes runs of several series a pair, such as "seed=0".
using PairedRuns = std::map<std::string, const StudyRun*>;

class Study {
 public:
  /// Throws like `load_plan`.
  explicit Study(const std::filesystem::path& file);
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  const config::Plan& plan() const { return plan_; }
  const std::filesystem::path& file() const { return file_; }
  const std::vector<StudyRun>& runs() const { return runs_; }

  /// The runs of a series in a case. Throws `UsageError` if there is none, or two of them agree in what pairs them.
  PairedRuns select(const Series& series, const Case& one, const std::vector<PairedBy>& pair) const;

  /// Throws `UsageError`, with the nearest one, for a path that is no setting of any run.
  void expect_setting(const std::string& path) const;

  /// A run of the plan and all that it starts from, the first one in front.
  std::vector<const config::RunConfig*> with_starts(const config::RunConfig& run) const;

 private:
  std::filesystem::path file_;
  config::Plan plan_;
  std::vector<StudyRun> runs_;
  std::vector<std::string> settings_;  ///< paths of what some run has, sorted
};

}  // namespace ropewalk
