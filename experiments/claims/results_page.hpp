// The page of results: every claim with its numbers, in Markdown.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/claims/judgement.hpp"
#include "experiments/claims/loaded_claims.hpp"

namespace ropewalk {

/// What the page says of how it was made.
struct PageOrigin {
  std::string claims;          ///< as they were asked for: "all"
  std::filesystem::path page;  ///< the file that it will be, relative to which figures are named
};

/// Made of claim files and run.h5 files alone, so that the same ones give the same bytes.
std::string results_page(const std::vector<Judgement>& judgements, const std::vector<ClaimOfStudy>& claims, Evidence& evidence,
                         const PageOrigin& origin);

}  // namespace ropewalk
