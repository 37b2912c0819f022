// `ropewalk verify`: published claims, held against runs of our own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/run/sweep.hpp"

namespace ropewalk {

struct VerifyArguments {
  std::vector<std::string> claims;      ///< files, names of files in configs/claims, or "all" of those
  std::filesystem::path csv = {};       ///< where to write every number; empty: nowhere
  std::filesystem::path markdown = {};  ///< where to write the page of results; empty: nowhere
  bool judge_only = false;              ///< run nothing
};

/// Runs what is missing, judges, prints. Returns the exit code: 1 if a claim is undecided, or a run that one looks at is not
/// done.
int verify_claims(const VerifyArguments& arguments, SweepOptions options);

/// The line that says that a claim file is fine. Throws like `LoadedClaims`, and `expect_possible`, if it is not.
std::string claim_is_fine(const std::string& file);

}  // namespace ropewalk
