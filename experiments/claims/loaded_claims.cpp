#include "experiments/claims/loaded_claims.hpp"

#include "experiments/claims/claim_file.hpp"
#include "experiments/claims/judgement.hpp"

namespace ropewalk {

LoadedClaims::LoadedClaims(const std::vector<std::filesystem::path>& files) {
  config::Complaints complaints;
  for (const std::filesystem::path& file : files) {
    config::Complaints own;
    claims_.push_back(read_claim(file, own));
    if (own.empty()) check_against_study(claims_.back(), own);
    complaints.add(own);
  }
  complaints.raise();
}

void LoadedClaims::check_against_study(const Claim& claim, config::Complaints& complaints) try {
  const Study& study = studies_.try_emplace(claim.study, claim.study).first->second;
  check_claim(claim, study, complaints);
  all_.push_back({&claim, &study});
} catch (const config::ConfigErrors& errors) {  // of the study itself
  for (const config::Complaint& each : errors.complaints()) complaints.add(each.place, each.path, each.message);
}

}  // namespace ropewalk
