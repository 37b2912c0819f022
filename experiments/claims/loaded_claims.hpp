// Claims from their files, each with its study.
#pragma once

#include <filesystem>
#include <list>
#include <map>
#include <vector>

#include "experiments/claims/claim.hpp"
#include "experiments/claims/study.hpp"
#include "experiments/config/complaints.hpp"

namespace ropewalk {

struct ClaimOfStudy {
  const Claim* claim;
  const Study* study;
};

/// Each study is read once, whatever the number of its claims.
class LoadedClaims {
 public:
  /// Throws `ConfigErrors` with the mistakes of all files, `FileError` for one that cannot be read.
  explicit LoadedClaims(const std::vector<std::filesystem::path>& files);
  LoadedClaims(const LoadedClaims&) = delete;
  LoadedClaims& operator=(const LoadedClaims&) = delete;

  const std::vector<ClaimOfStudy>& all() const { return all_; }

 private:
  void check_against_study(const Claim& claim, config::Complaints& complaints);

  std::list<Claim> claims_;
  std::map<std::filesystem::path, Study> studies_;
  std::vector<ClaimOfStudy> all_;
};

}  // namespace ropewalk
